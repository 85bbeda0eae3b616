// Whether the shop requires a second factor of everybody. Owners change it; turning it off needs a code.
import { useState } from "react";
import { useMe } from "../../data/me.ts";
import { useRead } from "../../data/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, Confirm } from "../../ui/change-dialogs.tsx";
import { CodeField, codeOf } from "../../ui/code-field.tsx";
import { Section } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import type { Person } from "./manage.ts";

const STALE = ["getSecurity", "getMe"] as const;

export function Security({ people }: { readonly people: readonly Person[] }) {
  const { actor } = useMe();
  const read = useRead("getSecurity");
  const [isAsking, setAsking] = useState(false);
  const isRequired = read.data?.requireSecondFactor;
  return (
    <Section
      title="Second factor"
      intro="A code from the phone, besides the password. Keys of programs are not affected."
      action={
        isRequired !== undefined &&
        actor.role === "owner" && (
          <Button onClick={() => setAsking(true)}>
            {isRequired ? "Stop requiring it" : "Require it of everybody"}
          </Button>
        )
      }
    >
      <ReadView read={read}>
        {({ requireSecondFactor }) => (
          <p>
            {requireSecondFactor
              ? "Required: who has none can only set one up."
              : "Everybody decides for themselves whether to use one."}
          </p>
        )}
      </ReadView>
      {isAsking && isRequired === true && <RelaxDialog onClose={() => setAsking(false)} />}
      {isAsking && isRequired === false && <RequireDialog people={people} onClose={() => setAsking(false)} />}
    </Section>
  );
}

interface RequireDialogProps {
  readonly people: readonly Person[];
  readonly onClose: () => void;
}

function RequireDialog({ people, onClose }: RequireDialogProps) {
  const { actor } = useMe();
  const lacking = people.filter(({ active, secondFactor }) => active && !secondFactor);
  return (
    <Confirm
      title="Require a second factor of everybody?"
      action="Require it"
      look="primary"
      operation="setSecurity"
      input={{ body: { requireSecondFactor: true } }}
      stale={STALE}
      done="Everybody needs a second factor now."
      onClose={onClose}
    >
      {lacking.length > 0 && (
        <>
          <p>
            From their next click on, these people can only set one up, and then go on where they were. Tell
            them before:
          </p>
          <ul>
            {lacking.map(({ id, name }) => (
              <li key={id}>
                <bdi>{name}</bdi>
                {id === actor.id && " (you)"}
              </li>
            ))}
          </ul>
        </>
      )}
      <p>To stop requiring it, an owner needs a code.</p>
    </Confirm>
  );
}

function RelaxDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ChangeDialog
      title="Stop requiring a second factor?"
      action="Stop requiring it"
      operation="setSecurity"
      input={(form) => ({ body: { requireSecondFactor: false, code: codeOf(form) } })}
      fields={["code"]}
      stale={STALE}
      done="A second factor is no longer required."
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>Everybody who has one keeps it, and may remove it. New people need none.</p>
          <CodeField label="Code of your app" error={errors.code} />
        </>
      )}
    </ChangeDialog>
  );
}
