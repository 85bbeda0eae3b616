import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { useFurtherPages, useList } from "../../data/operations.ts";
import { counted } from "../../format/words.ts";
import { TextLink } from "../../ui/button.tsx";
import { Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { ListView, ReadView } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { BehindTheScreen, Facts, Screen, ScreenActions, Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/value.tsx";
import { RoleText, SessionTable } from "./door.tsx";
import { type Person as Known, mayManage, mayResetFactor, PAGE } from "./manage.ts";
import { ChangePersonDialog, type SetupLink, SetupLinkDialog, staffFailure } from "./person-dialogs.tsx";
import { Status } from "./status.tsx";

export default function Person() {
  const { userId } = useParams({ from: "/app/staff/$userId" });
  const list = useList("listUsers", PAGE);
  const person = list.items?.find(({ id }) => id === userId);
  // The platform can only list people.
  useFurtherPages(list, person === undefined);
  if (person === undefined && list.items !== undefined && !list.hasNextPage)
    return (
      <Screen title="This person is not on the staff" intro="They may have been removed since.">
        <p>
          <TextLink to="/audit-log" search={{ targetId: userId }} text="What the audit log knows" />
        </p>
      </Screen>
    );
  return (
    <Screen title={person?.name ?? "Staff"}>
      <ReadView read={{ ...list, data: person }}>{(known) => <Details person={known} />}</ReadView>
      <BehindTheScreen operation="listUsers" input={{ query: PAGE }} />
    </Screen>
  );
}

function Details({ person }: { readonly person: Known }) {
  const { actor } = useMe();
  const isMe = person.id === actor.id;
  const isManaged = mayManage(actor.role, person);
  return (
    <>
      {isManaged ? (
        <Actions person={person} isMe={isMe} />
      ) : (
        <Note tone="info" title="Only an owner may manage an owner">
          <p>You are signed in as {actor.role}, so you can see this person and what they did.</p>
        </Note>
      )}
      <Facts
        label={`About ${person.name}`}
        of={{
          "E-mail": person.email,
          Role: <RoleText role={person.role} />,
          Status: <Status person={person} />,
          "Second factor": person.secondFactor ? "On" : "None",
          Since: <Time at={person.createdAt} />,
          "Last sign-in": person.lastSignInAt && <Time at={person.lastSignInAt} />,
          Id: <CopiedId id={person.id} what="id" />,
          "Audit log": (
            <>
              <Link to="/audit-log" search={{ actorId: person.id }}>
                What {isMe ? "you" : "this person"} did
              </Link>
              {" · "}
              <Link to="/audit-log" search={{ targetId: person.id }}>
                What was done to {isMe ? "you" : "this person"}
              </Link>
            </>
          ),
        }}
      />
      {isManaged && <PersonSessions person={person} isMe={isMe} />}
    </>
  );
}

interface ActionsProps {
  readonly person: Known;
  readonly isMe: boolean;
}

function Actions({ person, isMe }: ActionsProps) {
  const { actor } = useMe();
  const [link, setLink] = useState<SetupLink | null>(null);
  const isInvited = person.state === "invited";
  return (
    <ScreenActions>
      <DialogButton text="Edit">
        <ChangePersonDialog person={person} isMe={isMe} />
      </DialogButton>
      <DialogButton
        text={isInvited ? "Invite again" : "New setup link"}
        look={isInvited ? "primary" : "plain"}
        isOffered={person.active}
      >
        <NewLinkDialog person={person} onLink={setLink} />
      </DialogButton>
      <DialogButton text="Reset second factor" isOffered={mayResetFactor(actor, person)}>
        <ResetDialog person={person} />
      </DialogButton>
      <DialogButton text="Remove">
        <RemoveDialog person={person} isMe={isMe} />
      </DialogButton>
      {link && <SetupLinkDialog link={link} onSent={() => setLink(null)} />}
    </ScreenActions>
  );
}

interface NewLinkDialogProps extends Pick<ActionsProps, "person"> {
  readonly onLink: (link: SetupLink) => void;
}

function NewLinkDialog({ person: { id, name, state }, onLink }: NewLinkDialogProps) {
  const isInvited = state === "invited";
  return (
    <Confirm
      title={isInvited ? `Invite “${name}” again?` : `Make a new setup link for “${name}”?`}
      action="Make link"
      look="primary"
      operation="createSetupLink"
      input={{ path: { id } }}
      stale={["listUsers", "listAuditLog"]}
      onDone={({ token, expiresAt }, close) => {
        close();
        onLink({ name, token, expiresAt });
      }}
      text={
        isInvited
          ? "You get a new link to send to them. It works for 24 hours, and the earlier one stops working now."
          : "For someone who forgot the password. An earlier link stops working now. The password and the sessions end when the new link is used."
      }
    />
  );
}

function ResetDialog({ person: { id, name } }: Pick<ActionsProps, "person">) {
  return (
    <Confirm
      title={`Reset the second factor of “${name}”?`}
      action="Reset second factor"
      operation="resetSecondFactor"
      input={{ path: { id } }}
      stale={["listUsers", "listUserSessions"]}
      done={`The second factor of “${name}” is reset.`}
      text="For someone who has lost the phone and the recovery codes. Make sure that it is this person who asks. Their sessions end; then the password is all that a sign-in needs, until they set up another one."
    />
  );
}

function RemoveDialog({ person: { id, name }, isMe }: ActionsProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      title={`Remove “${name}”?`}
      action="Remove person"
      otherwise="Keep"
      operation="deleteUser"
      input={{ path: { id } }}
      stale={["listUsers"]}
      done={`“${name}” is removed.`}
      onDone={() => navigate({ to: "/staff" })}
      explain={staffFailure}
    >
      <p>
        {isMe ? "You are signed out at once and cannot sign in again." : "They are signed out at once."} This
        cannot be undone; to stop them for a while, make them inactive instead. What they did stays in the
        audit log.
      </p>
    </Confirm>
  );
}

function PersonSessions({ person, isMe }: ActionsProps) {
  const input = { path: { id: person.id } };
  const list = useList("listUserSessions", PAGE, input);
  return (
    <Section
      title="Sessions"
      action={
        <DialogButton text="End all sessions" isOffered={(list.items?.length ?? 0) > 0}>
          <Confirm
            title={`End all sessions of “${person.name}”?`}
            action="End all sessions"
            operation="endUserSessions"
            input={input}
            stale={["listUserSessions"]}
            done={({ endedSessions }) => `${counted(endedSessions, "session is", "sessions are")} ended.`}
          >
            <p>
              {isMe ? "You are signed out here too." : "They are signed out everywhere at once."} Signing in
              again needs {person.secondFactor ? "the password and a code" : "the password only"}.
            </p>
          </Confirm>
        </DialogButton>
      }
    >
      <ListView list={list} empty={<p className="soft">Not signed in anywhere.</p>}>
        {(sessions) => <SessionTable sessions={sessions} />}
      </ListView>
    </Section>
  );
}
