import { ChangeDialog } from "../../ui/change-dialogs.tsx";
import { ChoiceField, TextField } from "../../ui/field.tsx";
import { REDIRECT_TYPES, type Redirect } from "./redirect-type.ts";

const TYPES = REDIRECT_TYPES.map(({ type, name, means }, index) => ({
  value: type,
  text: (
    <>
      {name} <code className="soft">{type}</code>
    </>
  ),
  hint: means,
  isChosen: index === 0,
}));
const PATH = { required: true, maxLength: 2_048, autoCapitalize: "off", spellCheck: false };

export function AddRedirectDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ChangeDialog
      title="Add a redirect"
      action="Add redirect"
      operation="createRedirect"
      input={(form) => ({
        body: {
          from: String(form.get("from")),
          to: String(form.get("to")).trim(),
          type: Number(form.get("type")) as Redirect["type"],
        },
      })}
      fields={["from", "to", "type"]}
      conflicts={{ redirect_exists: "from", redirect_loop: "to" }}
      stale={["listRedirects", "resolveRedirect"]}
      done={({ from }) => `Visitors of ${from} are redirected.`}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <TextField
            label="From"
            hint="The path of the old page, without the host: /old-page"
            error={errors.from}
            name="from"
            {...PATH}
          />
          <TextField
            label="To"
            hint="A path of your site, or a whole address: https://other.example/page"
            error={errors.to}
            name="to"
            {...PATH}
          />
          <ChoiceField label="Kind" error={errors.type} type="radio" name="type" options={TYPES} />
        </>
      )}
    </ChangeDialog>
  );
}
