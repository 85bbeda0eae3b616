// The form for a new key: its purpose, its expiry, and its rights.
import { useState } from "react";
import { type Failure, refusalOf } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { EXPIRIES, expiresAtOf } from "./expiry.ts";
import { LABEL_CHARACTERS_MAX } from "./label.ts";
import { ScopeChoice } from "./scope-choice.tsx";
import type { Scope } from "./scopes.ts";
import type { NewSecret } from "./secret-dialog.tsx";

const NO_SCOPE = "Choose at least one: without a scope the key could do nothing";

interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const create = useChange("createApiKey", {
    stale: ["listApiKeys"],
    onDone: ({ key, label }) => onCreated({ key, label }),
  });
  const [scopes, setScopes] = useState<readonly Scope[]>([]);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const submit = (form: FormData) => {
    // The platform accepts a key that may do nothing. Nobody who fills in this form wants one.
    setRefusal(scopes.length === 0 ? refusalOf([{ path: "scopes", message: NO_SCOPE }]) : null);
    if (scopes.length > 0) create.mutate({ body: bodyOf(form, scopes) });
  };
  const choose = (chosen: readonly Scope[]) => {
    setScopes(chosen);
    setRefusal(null);
  };
  const failure = refusal ?? create.error;
  const errors = fieldErrors(failure?.details ?? [], ["label", "expiresAt", "scopes"]);
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <Form failure={failure} onSubmit={submit}>
        {failure && <ErrorNote failure={failure} details={errors.rest} />}
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
        <ScopeChoice chosen={scopes} error={errors.byField.scopes} onChange={choose} />
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

function bodyOf(form: FormData, scopes: readonly Scope[]) {
  return {
    label: String(form.get("label")),
    scopes: [...scopes],
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
