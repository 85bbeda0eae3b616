// The form for a new key: its purpose, its expiry, and its rights.
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useMe } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field, FieldGroup } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { EXPIRIES, expiresAtOf } from "./expiry.ts";
import { LABEL_CHARACTERS_MAX } from "./label.ts";
import { SCOPES, type Scope } from "./scopes.ts";
import type { NewSecret } from "./secret-dialog.tsx";

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const create = useChange("createApiKey", {
    stale: ["listApiKeys"],
    onDone: ({ key, label }) => onCreated({ key, label }),
  });
  const submit = (form: FormData) => create.mutate({ body: bodyOf(form) });
  const errors = fieldErrors(create.error?.details ?? [], ["label", "expiresAt", "scopes"]);
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <Form failure={create.error} onSubmit={submit}>
        {create.error && <ErrorNote failure={create.error} details={errors.rest} />}
        <Field label="Label" hint="Which program or assistant uses it." error={errors.byField.label}>
          {(control) => (
            <input
              {...control}
              className="input"
              name="label"
              required
              maxLength={LABEL_CHARACTERS_MAX}
              autoComplete="off"
            />
          )}
        </Field>
        <Expiry error={errors.byField.expiresAt} />
        <ScopeBoxes error={errors.byField.scopes} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function bodyOf(form: FormData) {
  return {
    label: String(form.get("label")),
    scopes: form.getAll("scopes") as Scope[],
    expiresAt: expiresAtOf(String(form.get("expiry")), String(form.get("date") ?? ""), Date.now()),
  };
}

function Expiry({ error }: { readonly error: string | undefined }) {
  const [choice, setChoice] = useState("never");
  return (
    <>
      <Field
        label="Expires"
        hint="Optional. From then on the key is refused."
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
            {EXPIRIES.map(({ value, text }) => (
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

function ScopeBoxes({ error }: { readonly error: string | undefined }) {
  const { tenant } = useMe();
  return (
    <FieldGroup label="Scopes" hint="A scope to write does not include the one to read." error={error}>
      <div className="choices">
        {SCOPES.map(({ scope, module, permits }) => (
          <label key={scope} className="choice">
            <input type="checkbox" name="scopes" value={scope} />
            <code>{scope}</code>
            <small>
              {permits}
              {!tenant.modules.includes(module) &&
                ` The module “${module}” is not active, so it has no effect yet.`}
            </small>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
