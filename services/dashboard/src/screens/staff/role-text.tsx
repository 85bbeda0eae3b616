// A role, and its rights.
import { type Role, textOfRole } from "../../format/role.ts";

export function RoleText({ role }: { readonly role: Role }) {
  const { name, may } = textOfRole(role);
  return (
    <div className="lines">
      {name}
      <span className="soft">{may}</span>
    </div>
  );
}
