// Whether the shop requires a second factor of everybody. Owners change it; turning it off needs a code.
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useMe } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import { useRead } from "../../data/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { CodeField, codeOf } from "../../ui/code-field.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { say } from "../../ui/toasts.tsx";
import { ReadView } from "../../ui/views.tsx";
import type { Person } from "./manage.ts";

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
  const set = useSetting("Everybody needs a second factor now.", onClose);
  const lacking = people.filter(({ active, secondFactor }) => active && !secondFactor);
  return (
    <Dialog title="Require a second factor of everybody?" onClose={onClose}>
      {set.error && <ErrorNote failure={set.error} details={set.error.details} />}
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
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          isBusy={set.isPending}
          onClick={() => set.mutate({ body: { requireSecondFactor: true } })}
        >
          Require it
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function RelaxDialog({ onClose }: { readonly onClose: () => void }) {
  const set = useSetting("A second factor is no longer required.", onClose);
  const errors = fieldErrors(set.error?.details ?? [], ["code"]);
  const submit = (form: FormData) => set.mutate({ body: { requireSecondFactor: false, code: codeOf(form) } });
  return (
    <Dialog title="Stop requiring a second factor?" onClose={onClose}>
      <Form failure={set.error} onSubmit={submit}>
        {set.error && <ErrorNote failure={set.error} details={errors.rest} />}
        <p>Everybody who has one keeps it, and may remove it. New people need none.</p>
        <CodeField label="Code of your app" error={errors.byField.code} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={set.isPending}>
            Stop requiring it
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function useSetting(text: string, onClose: () => void) {
  return useChange("setSecurity", {
    stale: ["getSecurity", "getMe"],
    onDone: () => {
      say(text);
      onClose();
    },
  });
}
