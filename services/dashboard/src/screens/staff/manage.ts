// Decides what a user may do to another user, so that the screens offer nothing that the platform would refuse. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { ROLE_TEXTS, type Role } from "../../session/roles.ts";

export type Person = DataOf<"listUsers">[number];

export const PAGE = { limit: 100 };

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

type Editable = Pick<Person, "name" | "role" | "active">;

/** Returns only the edited fields, so that a concurrent edit of another field is not overwritten. Null if none changed. */
export function changesOf(person: Person, wanted: Editable): Partial<Editable> | null {
  const changes = Object.entries(wanted).filter(
    ([field, value]) => person[field as keyof Editable] !== value,
  );
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** The address that a new person opens. The token is in the fragment, which browsers send to no server. */
export function setupAddress(origin: string, token: string): string {
  return `${origin}/dashboard/set-up#${token}`;
}

export type Entry = Pick<DataOf<"listAuditLog">[number], "at" | "action" | "changes"> & {
  readonly target: { readonly id: string };
};

export const LINK_MADE = "user.setup_link_made";

/** The fields whose change ends a link. */
const ENDING = ["role", "active", "password"];

/**
 * Finds in the audit log whether the setup link of an invited person works, because users in the API do not show it.
 * Returns the expiry of the latest link, `ended` if something else has ended it, and undefined if the log does not say.
 * The entries may be of several people, and in any order.
 */
export function linkOf({ id }: Pick<Person, "id">, entries: readonly Entry[]): string | "ended" | undefined {
  const latest = entries
    .filter(({ target, action, changes }) => target.id === id && (action === LINK_MADE || isEnding(changes)))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .at(0);
  if (latest === undefined) return undefined;
  if (latest.action !== LINK_MADE) return "ended";
  return typeof latest.changes.expiresAt === "string" ? latest.changes.expiresAt : undefined;
}

function isEnding(changes: Entry["changes"]): boolean {
  return ENDING.some((field) => Object.hasOwn(changes, field));
}
