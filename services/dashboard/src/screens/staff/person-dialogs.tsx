// The forms of a new person and of a changed one. Nobody chooses a password for someone else: a new person gets a setup link.
import type { ErrorDetail } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors, sentence } from "../../api/field-errors.ts";
import { useMe } from "../../data/me.ts";
import { useChange } from "../../data/use-change.ts";
import type { Role } from "../../format/role.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { FieldGroup, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Note } from "../../ui/note.tsx";
import { say } from "../../ui/toasts.tsx";
import { changesOf, type Person, rolesToGive } from "./manage.ts";
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

interface ChangePersonDialogProps {
  readonly person: Person;
  readonly isMe: boolean;
  readonly onClose: () => void;
}

export function ChangePersonDialog({ person, isMe, onClose }: ChangePersonDialogProps) {
  const change = useChange("updateUser", {
    stale: isMe ? ["listUsers", "getMe"] : ["listUsers"],
    onDone: ({ name }) => {
      say(`“${name}” is changed.`);
      onClose();
    },
  });
  const submit = (form: FormData) => {
    const body = changesOf(person, {
      name: String(form.get("name")).trim(),
      role: String(form.get("role")) as Role,
      active: form.get("active") !== null,
    });
    if (body === null) onClose();
    else change.mutate({ path: { id: person.id }, body });
  };
  const errors = fieldErrors(change.error?.details ?? [], ["name", "role", "active"]);
  return (
    <FormDialog
      title={`Edit “${person.name}”`}
      action="Save"
      change={change}
      note={change.error && <StaffFailure failure={change.error} details={errors.rest} />}
      onSubmit={submit}
      onClose={onClose}
    >
      {isMe && (
        <Note tone="warning" title="This is you">
          <p>With a lower role you cannot take this back yourself.</p>
        </Note>
      )}
      <TextField
        label="Name"
        error={errors.byField.name}
        name="name"
        required
        maxLength={NAME_CHARACTERS_MAX}
        defaultValue={person.name}
      />
      <RoleChoice initial={person.role} error={errors.byField.role} />
      <FieldGroup label="Access" error={errors.byField.active}>
        <div className="choices">
          <label className="choice">
            <input type="checkbox" name="active" defaultChecked={person.active} />
            Active
            <small>Without it they are refused from their next request on, and cannot sign in.</small>
          </label>
        </div>
      </FieldGroup>
    </FormDialog>
  );
}

interface RoleChoiceProps {
  readonly initial: Role;
  readonly error: string | undefined;
}

function RoleChoice({ initial, error }: RoleChoiceProps) {
  const { actor } = useMe();
  return (
    <FieldGroup label="Role" error={error}>
      <div className="choices">
        {rolesToGive(actor.role).map(({ role, name, may }) => (
          <label key={role} className="choice">
            <input type="radio" name="role" value={role} defaultChecked={role === initial} required />
            {name}
            <small>{may}</small>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

interface StaffFailureProps {
  readonly failure: Failure;
  readonly details?: readonly ErrorDetail[];
}

export function StaffFailure({ failure, details = [] }: StaffFailureProps) {
  if (failure.code !== "last_owner") return <ErrorNote failure={failure} details={details} />;
  return (
    <Note tone="danger" title="This is the last active owner" isAlert>
      <p>A shop always has one, or nobody could manage it. Make someone else an owner first.</p>
    </Note>
  );
}
