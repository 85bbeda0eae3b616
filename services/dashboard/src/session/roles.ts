// Decides what a role may do, so that the screens offer nothing that the platform would refuse. Pure.

const ROLES = ["viewer", "editor", "admin", "owner"] as const;
type Role = (typeof ROLES)[number];

export interface Needs {
  /** The lowest role that may use the screen. */
  readonly role: Role;
  /** The module that the tenant needs. */
  readonly module?: "crm" | "content";
}

export interface Holder {
  readonly role: Role;
  readonly modules: readonly string[];
}

export function isAllowed(holder: Holder, needs: Needs): boolean {
  return missing(holder, needs) === undefined;
}

/** Returns a sentence that says what is missing; undefined if nothing is. */
export function missing(holder: Holder, { role, module }: Needs): string | undefined {
  if (module !== undefined && !holder.modules.includes(module))
    return `The module “${module}” is not active for this shop. An owner can activate it.`;
  if (ROLES.indexOf(holder.role) >= ROLES.indexOf(role)) return undefined;
  const allowed = ROLES.slice(ROLES.indexOf(role));
  return `This is for the ${allowed.length > 1 ? "roles" : "role"} ${allowed.join(" and ")}. You are signed in as ${holder.role}.`;
}
