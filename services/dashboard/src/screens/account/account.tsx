import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useMe } from "../../data/me.ts";
import { say } from "../../data/messages.ts";
import { useChange, useList } from "../../data/operations.ts";
import { useProvider } from "../../data/use-provider.ts";
import { programOf } from "../../format/user-agent.ts";
import { counted } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { Form } from "../../ui/form.tsx";
import { ListView } from "../../ui/list.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { CurrentPasswordField, currentPasswordOf, NewPasswordField } from "../../ui/password-fields.tsx";
import { ProviderFailure } from "../../ui/provider-failure.tsx";
import { BehindTheScreen, Facts, Screen, Section } from "../../ui/screen.tsx";
import { signOutNow } from "../../ui/unsaved.ts";
import { Time } from "../../ui/value.tsx";
import { RoleText, SessionTable } from "../staff/door.tsx";
import { SecondFactor } from "./second-factor.tsx";
import "./account.css";

export default function Account() {
  const { actor, tenant } = useMe();
  return (
    <Screen title="Your account">
      <Facts
        label="About you"
        of={{ Name: actor.name, Role: <RoleText role={actor.role} />, Shop: tenant.name }}
      />
      <MySessions />
      <Identity />
      <SecondFactor />
      <ChangePassword />
      <BehindTheScreen operation="listMySessions" input={{ query: MY_SESSIONS_QUERY }} />
    </Screen>
  );
}

const MY_SESSIONS_QUERY = { limit: 100 };

function MySessions() {
  const list = useList("listMySessions", MY_SESSIONS_QUERY);
  const end = useChange("endMySession", { stale: ["listMySessions"], done: "The session is ended." });
  const cache = useQueryClient();
  const endOthers = useMutation<number, Failure>({
    mutationFn: endOtherSessions,
    onSuccess: (ended) => say(textOf(ended)),
    onSettled: () => cache.invalidateQueries({ queryKey: ["listMySessions"] }),
  });
  const error = endOthers.error ?? end.error;
  return (
    <Section
      title="Sessions"
      intro="If you do not know one of them, end it and change your password."
      action={
        list.items?.some(({ current }) => !current) && (
          <Button
            text="End all other sessions"
            isBusy={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          />
        )
      }
    >
      {error && <ErrorNote failure={error} />}
      <ListView list={list} empty={<p className="soft">Not signed in anywhere.</p>}>
        {(sessions) => (
          <SessionTable
            sessions={sessions}
            action={(session) => (
              <Button
                text="End"
                look="quiet"
                isBusy={end.isPending && end.variables.path?.id === session.id}
                // Signing out ends the current session, and also notifies the other tabs.
                onClick={session.current ? signOutNow : () => end.mutate({ path: { id: session.id } })}
                about={session.current ? "this session" : programOf(session.userAgent)}
              />
            )}
          />
        )}
      </ListView>
    </Section>
  );
}

async function endOtherSessions(): Promise<number> {
  for (let ended = 0; ; ) {
    const { data } = await request("listMySessions", { query: MY_SESSIONS_QUERY });
    const others = data.filter(({ current }) => !current);
    if (others.length === 0) return ended;
    for (const { id } of others) {
      await request("endMySession", { path: { id } }).catch((failure: Failure) => {
        if (failure.status !== 404) throw failure;
      });
      ended += 1;
    }
  }
}

function ChangePassword() {
  // Each change gets a new form, so that the passwords do not stay on the page.
  const [changes, setChanges] = useState(0);
  return (
    <Section title="Password" intro="A new password ends all your other sessions.">
      <PasswordForm key={changes} onChanged={() => setChanges(changes + 1)} />
    </Section>
  );
}

function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const change = useChange("changeMyPassword", {
    stale: ["listMySessions"],
    done: ({ endedSessions }) => `Your password is changed. ${textOf(endedSessions)}`,
    onDone: onChanged,
  });
  const submit = (form: FormData) =>
    change.mutate({ body: { ...currentPasswordOf(form), newPassword: String(form.get("newPassword")) } });
  return (
    <div className="change-password">
      <Form failure={change.error} onSubmit={submit}>
        <CurrentPasswordField />
        <NewPasswordField name="newPassword" />
        <div className="row">
          <Button text="Change password" type="submit" look="primary" isBusy={change.isPending} />
        </div>
      </Form>
    </div>
  );
}

function textOf(endedSessions: number): string {
  if (endedSessions === 0) return "You had no other sessions.";
  return `${counted(endedSessions, "other session has", "other sessions have")} ended.`;
}

function Identity() {
  const { failure } = useSearch({ from: "/app/account" });
  const { identity } = useMe().actor;
  const { isOffered, name } = useProvider();
  if (!identity && !isOffered) return null;
  return (
    <Section
      title={`Sign-in with ${name}`}
      intro={`Once your account there is linked, you need no password and no code here.`}
      action={
        <>
          <DialogButton text="Unlink" isOffered={Boolean(identity)}>
            <Confirm
              title={`Unlink ${name}?`}
              action="Unlink"
              operation="unlinkMyIdentity"
              input={{}}
              stale={["getMe", "listMySessions"]}
              done="Your account is unlinked. Your other sessions have ended."
              text="You then sign in with your password. If you have none, set one before. Your other sessions end."
            />
          </DialogButton>
          {!identity && (
            <a className="button button-plain" href="/v1/auth/oidc/start?link=true">
              Link your account
            </a>
          )}
        </>
      }
    >
      {failure && <ProviderFailure failure={failure} />}
      <p>
        {identity ? (
          <>
            Linked{identity.email !== null && " to "}
            <bdi>{identity.email}</bdi>, since <Time at={identity.linkedAt} />, at{" "}
            <bdi>{new URL(identity.issuer).host}</bdi>.
          </>
        ) : (
          "Not linked."
        )}
      </p>
    </Section>
  );
}
