import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { useList } from "../../data/operations.ts";
import { counted } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { ListView, ReadView } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { BehindTheScreen, Facts, Screen, ScreenActions, Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/value.tsx";
import { RoleText, SessionTable } from "./door.tsx";
import { type Person as Known, mayManage, mayResetFactor } from "./manage.ts";
import { ChangePersonDialog, type SetupLink, SetupLinkDialog, staffFailure } from "./person-dialogs.tsx";
import { Status } from "./status.tsx";
import { STAFF_QUERY, useInvitations, usePerson } from "./use-staff.ts";

export default function Person() {
  const { userId } = useParams({ from: "/app/staff/$userId" });
  const { person, isUnknown, read } = usePerson(userId);
  if (isUnknown) return <Unknown userId={userId} />;
  return (
    <Screen title={person?.name ?? "Staff"}>
      <ReadView read={read}>{(known) => <Details person={known} />}</ReadView>
      <BehindTheScreen operation="listUsers" input={{ query: STAFF_QUERY }} />
    </Screen>
  );
}

function Details({ person }: { readonly person: Known }) {
  const { actor } = useMe();
  const isMe = person.id === actor.id;
  const invitations = useInvitations([person]);
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
          Status: <Status person={person} invitations={invitations} />,
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

type Open = "change" | "link" | "reset" | "remove" | null;

function Actions({ person, isMe }: { readonly person: Known; readonly isMe: boolean }) {
  const { actor } = useMe();
  const [open, setOpen] = useState<Open>(null);
  const [link, setLink] = useState<SetupLink | null>(null);
  const close = () => setOpen(null);
  const isInvited = person.state === "invited";
  return (
    <ScreenActions>
      <Button text="Edit" onClick={() => setOpen("change")} />
      {person.active && (
        <Button
          text={isInvited ? "Invite again" : "New setup link"}
          look={isInvited ? "primary" : "plain"}
          onClick={() => setOpen("link")}
        />
      )}
      {mayResetFactor(actor, person) && (
        <Button text="Reset second factor" onClick={() => setOpen("reset")} />
      )}
      <Button text="Remove" onClick={() => setOpen("remove")} />
      {open === "change" && <ChangePersonDialog person={person} isMe={isMe} onClose={close} />}
      <Question
        person={person}
        isMe={isMe}
        open={open}
        onLink={(made) => {
          close();
          setLink(made);
        }}
        onClose={close}
      />
      {link && <SetupLinkDialog link={link} onSent={() => setLink(null)} />}
    </ScreenActions>
  );
}

interface QuestionProps {
  readonly person: Known;
  readonly isMe: boolean;
  readonly open: Open;
  readonly onLink: (link: SetupLink) => void;
  readonly onClose: () => void;
}

function Question({ person, isMe, open, onLink, onClose }: QuestionProps) {
  const navigate = useNavigate();
  const { id, name } = person;
  const input = { path: { id } };
  const isInvited = person.state === "invited";
  switch (open) {
    case "link":
      return (
        <Confirm
          title={isInvited ? `Invite “${name}” again?` : `Make a new setup link for “${name}”?`}
          action="Make link"
          look="primary"
          operation="createSetupLink"
          input={input}
          stale={["listUsers", "listAuditLog"]}
          onDone={({ token, expiresAt }) => onLink({ name, token, expiresAt })}
          onClose={onClose}
        >
          <p>
            {isInvited
              ? "You get a new link to send to them. It works for 24 hours, and the earlier one stops working now."
              : "For someone who forgot the password. An earlier link stops working now. The password and the sessions end when the new link is used."}
          </p>
        </Confirm>
      );
    case "reset":
      return (
        <Confirm
          title={`Reset the second factor of “${name}”?`}
          action="Reset second factor"
          operation="resetSecondFactor"
          input={input}
          stale={["listUsers", "listUserSessions"]}
          done={`The second factor of “${name}” is reset.`}
          onClose={onClose}
        >
          <p>
            For someone who has lost the phone and the recovery codes. Make sure that it is this person who
            asks. Their sessions end; then the password is all that a sign-in needs, until they set up another
            one.
          </p>
        </Confirm>
      );
    case "remove":
      return (
        <Confirm
          title={`Remove “${name}”?`}
          action="Remove person"
          otherwise="Keep"
          operation="deleteUser"
          input={input}
          stale={["listUsers"]}
          done={`“${name}” is removed.`}
          onDone={() => navigate({ to: "/staff" })}
          explain={staffFailure}
          onClose={onClose}
        >
          <p>
            {isMe ? "You are signed out at once and cannot sign in again." : "They are signed out at once."}{" "}
            This cannot be undone; to stop them for a while, make them inactive instead. What they did stays
            in the audit log.
          </p>
        </Confirm>
      );
    default:
      return null;
  }
}

function Unknown({ userId }: { readonly userId: string }) {
  return (
    <Screen title="This person is not on the staff" intro="They may have been removed since.">
      <p>
        <Link to="/audit-log" search={{ targetId: userId }}>
          What the audit log knows
        </Link>
      </p>
    </Screen>
  );
}

const QUERY = { limit: 100 };

function PersonSessions({ person, isMe }: { readonly person: Known; readonly isMe: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const input = { path: { id: person.id } };
  const list = useList("listUserSessions", QUERY, input);
  return (
    <Section
      title="Sessions"
      action={
        list.items !== undefined &&
        list.items.length > 0 && <Button text="End all sessions" onClick={() => setAsking(true)} />
      }
    >
      <ListView list={list} empty={<p className="soft">Not signed in anywhere.</p>}>
        {(sessions) => <SessionTable sessions={sessions} />}
      </ListView>
      {isAsking && (
        <Confirm
          title={`End all sessions of “${person.name}”?`}
          action="End all sessions"
          operation="endUserSessions"
          input={input}
          stale={["listUserSessions"]}
          done={({ endedSessions }) => `${counted(endedSessions, "session is", "sessions are")} ended.`}
          onClose={() => setAsking(false)}
        >
          <p>
            {isMe ? "You are signed out here too." : "They are signed out everywhere at once."} Signing in
            again needs {person.secondFactor ? "the password and a code" : "the password only"}.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
