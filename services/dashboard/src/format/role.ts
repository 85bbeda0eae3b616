// The roles in words, lowest first. Each includes the rights of the roles before it. Pure.
import type { DataOf } from "@tradepost/client/operations";

export type Role = DataOf<"getMe">["actor"]["role"];

interface RoleText {
  readonly role: Role;
  readonly name: string;
  readonly may: string;
}

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

export function textOfRole(role: Role): RoleText {
  const text = ROLE_TEXTS.find((one) => one.role === role);
  return text ?? { role, name: role, may: "" };
}
