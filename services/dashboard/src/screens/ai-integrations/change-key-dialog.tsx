// Changes the label of a key, sets an expiry, or brings it forward. A key can never live longer than planned.
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import { choicesToShorten, expiresAtOf } from "./expiry.ts";
import type { ApiKey } from "./key-state.ts";
import { LABEL_CHARACTERS_MAX } from "./label.ts";

interface ChangeKeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function ChangeKeyDialog({ apiKey, onClose }: ChangeKeyDialogProps) {
  const change = useChange("updateApiKey", {
    stale: ["listApiKeys"],
    onDone: ({ label }) => {
      say(`The key “${label}” is changed.`);
      onClose();
    },
  });
  const submit = (form: FormData) => change.mutate({ path: { id: apiKey.id }, body: bodyOf(form) });
  const errors = fieldErrors(change.error?.details ?? [], ["label", "expiresAt"]);
  return (
    <Dialog title={`Edit “${apiKey.label}”`} onClose={onClose}>
      <Form failure={change.error} onSubmit={submit}>
        {change.error && <ErrorNote failure={change.error} details={errors.rest} />}
        <Field label="Label" hint="Which program or assistant uses it." error={errors.byField.label}>
          {(control) => (
            <input
              {...control}
              className="input"
              name="label"
              required
              maxLength={LABEL_CHARACTERS_MAX}
              defaultValue={apiKey.label}
              autoComplete="off"
            />
          )}
        </Field>
        <EarlierExpiry apiKey={apiKey} error={errors.byField.expiresAt} />
        <p className="note-small">
          Scopes stay as they are: for others, create another key. To change the secret, rotate the key.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function bodyOf(form: FormData) {
  const choice = String(form.get("expiry"));
  return {
    label: String(form.get("label")),
    ...(choice !== "same" && {
      expiresAt: expiresAtOf(choice, String(form.get("date") ?? ""), Date.now()),
    }),
  };
}

function EarlierExpiry({ apiKey, error }: { readonly apiKey: ApiKey; readonly error: string | undefined }) {
  const [choice, setChoice] = useState("same");
  const { expiresAt } = apiKey;
  return (
    <>
      <Field
        label="Expires"
        hint={
          expiresAt === null ? (
            "It never expires now. An expiry cannot be taken back."
          ) : (
            <>
              It expires <Time at={expiresAt} />. An expiry can only be brought forward.
            </>
          )
        }
        error={choice === "date" ? undefined : error}
      >
        {(control) => (
          <select
            {...control}
            className="input"
            name="expiry"
            value={choice}
            onChange={(event) => setChoice(event.currentTarget.value)}
          >
            {choicesToShorten(expiresAt, Date.now()).map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      {choice === "date" && (
        <Field label="Date" hint="The key works until the end of this day." error={error}>
          {(control) => <input {...control} className="input" name="date" type="date" required />}
        </Field>
      )}
    </>
  );
}
