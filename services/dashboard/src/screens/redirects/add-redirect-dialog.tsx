// The form for a new redirect.
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { FieldGroup, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { REDIRECT_TYPES, type Redirect } from "./redirect-type.ts";

const PATH = { required: true, maxLength: 2_048, autoCapitalize: "off", spellCheck: false };
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
    <FormDialog
      title="Add a redirect"
      action="Add redirect"
      change={add}
      details={rest}
      {...(isOfField && { note: null })}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="From"
        hint="The path of the old page, without the host: /old-page"
        error={byField.from}
        name="from"
        {...PATH}
      />
      <TextField
        label="To"
        hint="A path of your site, or a whole address: https://other.example/page"
        error={byField.to}
        name="to"
        {...PATH}
      />
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
    </FormDialog>
  );
}

/** Shows a conflict at the field that has to change. */
function faultsOf(failure: Failure | null) {
  const path = FIELDS[failure?.code ?? ""];
  const details =
    failure === null || path === undefined ? (failure?.details ?? []) : [{ path, message: failure.message }];
  return { ...fieldErrors(details, ["from", "to", "type"]), isOfField: path !== undefined };
}
