// Decides what a user may do to another one, so that the screens offer nothing that the platform would refuse. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { ROLE_TEXTS, type Role } from "../../format/role.ts";

export type Person = DataOf<"listUsers">[number];

/** Only an owner may create, change or remove an owner. */
export function mayManage(myRole: Role, { role }: Pick<Person, "role">): boolean {
  return myRole === "owner" || role !== "owner";
}

/**
 * As for passwords: only an owner resets the second factor of an admin or an owner. Users remove their own second factor with a
 * code.
 */
export function mayResetFactor(me: { readonly id: string; readonly role: Role }, person: Person): boolean {
  const isAllowed = me.role === "owner" || person.role === "viewer" || person.role === "editor";
  return person.secondFactor && person.id !== me.id && isAllowed;
}

/** The roles that a user with this role may assign, lowest first. */
export function rolesToGive(myRole: Role) {
  return ROLE_TEXTS.filter((text) => mayManage(myRole, text));
}

/** Returns only the edited fields, so that a concurrent edit of another field is not overwritten. Null if none changed. */
export function changesOf(
  { name, role, active }: Person,
  wanted: Pick<Person, "name" | "role" | "active">,
): Partial<Pick<Person, "name" | "role" | "active">> | null {
  const changes = {
    ...(wanted.name !== name && { name: wanted.name }),
    ...(wanted.role !== role && { role: wanted.role }),
    ...(wanted.active !== active && { active: wanted.active }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** The address that a new person opens. The token is in the fragment, which browsers send to no server. */
export function setupAddress(origin: string, token: string): string {
  return `${origin}/dashboard/set-up#${token}`;
}
