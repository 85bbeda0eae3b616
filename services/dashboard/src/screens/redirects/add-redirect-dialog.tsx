// The form for a new redirect.
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field, FieldGroup } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { say } from "../../ui/toasts.tsx";
import { REDIRECT_TYPES, type Redirect } from "./redirect-type.ts";

const CHARACTERS_MAX = 2_048;
/** The field that a conflict is about. */
const FIELDS: Readonly<Record<string, "from" | "to">> = { redirect_exists: "from", redirect_loop: "to" };

export function AddRedirectDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useChange("createRedirect", {
    stale: ["listRedirects", "resolveRedirect"],
    onDone: ({ from }) => {
      say(`Visitors of ${from} are redirected.`);
      onClose();
    },
  });
  const submit = (form: FormData) =>
    add.mutate({
      body: {
        from: String(form.get("from")),
        to: String(form.get("to")).trim(),
        type: Number(form.get("type")) as Redirect["type"],
      },
    });
  const { byField, rest, isOfField } = faultsOf(add.error);
  return (
    <Dialog title="Add a redirect" onClose={onClose}>
      <Form failure={add.error} onSubmit={submit}>
        {add.error && !isOfField && <ErrorNote failure={add.error} details={rest} />}
        <Field label="From" hint="The path of the old page, without the host: /old-page" error={byField.from}>
          {(control) => <PathInput {...control} name="from" />}
        </Field>
        <Field
          label="To"
          hint="A path of your site, or a whole address: https://other.example/page"
          error={byField.to}
        >
          {(control) => <PathInput {...control} name="to" />}
        </Field>
        <FieldGroup label="Kind" error={byField.type}>
          <div className="choices">
            {REDIRECT_TYPES.map(({ type, name, means }, index) => (
              <label key={type} className="choice">
                <input type="radio" name="type" value={type} defaultChecked={index === 0} />
                <span>
                  {name} <code className="soft">{type}</code>
                </span>
                <small>{means}</small>
              </label>
            ))}
          </div>
        </FieldGroup>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={add.isPending}>
            Add redirect
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function PathInput(props: { readonly name: string; readonly id: string }) {
  return (
    <input
      {...props}
      className="input"
      required
      maxLength={CHARACTERS_MAX}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
  );
}

/** Shows a conflict at the field that has to change. */
function faultsOf(failure: Failure | null) {
  const path = FIELDS[failure?.code ?? ""];
  const details =
    failure === null || path === undefined ? (failure?.details ?? []) : [{ path, message: failure.message }];
  return { ...fieldErrors(details, ["from", "to", "type"]), isOfField: path !== undefined };
}
