// Changes the name and role of a person, and whether they may sign in.

import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import type { Role } from "../../format/role.ts";
import { FieldGroup, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Note } from "../../ui/note.tsx";
import { say } from "../../ui/toasts.tsx";
import { changesOf, type Person } from "./manage.ts";
import { RoleChoice } from "./role-choice.tsx";
import { StaffFailure } from "./staff-failure.tsx";

interface ChangePersonDialogProps {
  readonly person: Person;
  readonly isMe: boolean;
  readonly onClose: () => void;
}

const NAME_CHARACTERS_MAX = 200;

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
