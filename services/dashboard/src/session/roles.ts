// The roles in words, and what each may do, so that the screens offer nothing that the platform would refuse. Pure.
import type { DataOf } from "@tradepost/client/operations";

export type Role = DataOf<"getMe">["actor"]["role"];

interface RoleText {
  readonly role: Role;
  readonly name: string;
  readonly may: string;
}

/** Lowest first. Each includes the rights of the roles before it. */
export const ROLE_TEXTS: readonly RoleText[] = [
  { role: "viewer", name: "Viewer", may: "Sees orders, customers, content and webhooks. Changes nothing." },
  { role: "editor", name: "Editor", may: "Also works on orders, customers and content." },
  {
    role: "admin",
    name: "Admin",
    may: "Also manages staff, API keys, webhooks and content types. Sees the audit log.",
  },
  { role: "owner", name: "Owner", may: "Also manages owners, and activates modules." },
];

const ROLES = ROLE_TEXTS.map(({ role }) => role);

export interface Needs {
  /** The lowest role that may use the screen. */
  readonly role: Role;
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

export function textOfRole(role: Role): RoleText {
  const text = ROLE_TEXTS.find((one) => one.role === role);
  return text ?? { role, name: role, may: "" };
}
