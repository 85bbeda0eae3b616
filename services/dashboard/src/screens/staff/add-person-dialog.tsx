// The form for a new person. Nobody chooses a password for someone else; the person gets a setup link.

import type { Failure } from "../../api/failure.ts";
import { fieldErrors, sentence } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import type { Role } from "../../format/role.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RoleChoice } from "./role-choice.tsx";
import type { SetupLink } from "./setup-link-dialog.tsx";

interface AddPersonDialogProps {
  readonly onClose: () => void;
  readonly onAdded: (link: SetupLink) => void;
}

const NAME_CHARACTERS_MAX = 200;
const EMAIL_CHARACTERS_MAX = 320;

export function AddPersonDialog({ onClose, onAdded }: AddPersonDialogProps) {
  const add = useChange("createUser", {
    stale: ["listUsers", "listAuditLog"],
    onDone: ({ name, setup }) =>
      onAdded({ name, token: setup?.token ?? null, expiresAt: setup?.expiresAt ?? null }),
  });
  const submit = (form: FormData) =>
    add.mutate({
      body: {
        name: String(form.get("name")).trim(),
        email: String(form.get("email")).trim(),
        role: String(form.get("role")) as Role,
      },
    });
  const errors = faultsOf(add.error);
  return (
    <FormDialog
      title="Add a person"
      action="Add person"
      change={add}
      details={errors.rest}
      {...(errors.isTaken && { note: null })}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        error={errors.byField.name}
        name="name"
        required
        maxLength={NAME_CHARACTERS_MAX}
      />
      <TextField
        label="E-mail"
        hint="They sign in with it. It cannot be changed later."
        error={errors.byField.email}
        name="email"
        type="email"
        required
        maxLength={EMAIL_CHARACTERS_MAX}
      />
      <RoleChoice initial="viewer" error={errors.byField.role} />
      <p className="note-small">
        You get a link to send to them. With it they choose their own password, which nobody else knows.
      </p>
    </FormDialog>
  );
}

/** A taken e-mail is a conflict, but is shown at its field. */
function faultsOf(failure: Failure | null) {
  const isTaken = failure?.code === "email_taken";
  const details = isTaken
    ? [{ path: "email", message: sentence(failure.message) }]
    : (failure?.details ?? []);
  return { ...fieldErrors(details, ["name", "email", "role"]), isTaken };
}
