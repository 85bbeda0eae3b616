// The roles that the user may assign, each with its rights.
import { useMe } from "../../data/me.ts";
import type { Role } from "../../format/role.ts";
import { FieldGroup } from "../../ui/field.tsx";
import { rolesToGive } from "./manage.ts";

interface RoleChoiceProps {
  readonly initial: Role;
  readonly error: string | undefined;
}

export function RoleChoice({ initial, error }: RoleChoiceProps) {
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
