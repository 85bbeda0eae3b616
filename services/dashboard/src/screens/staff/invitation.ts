// Whether the setup link of an invited person still works. The API's users do not show it, but the audit log says when a link was
// made, and what ended it. Pure.
import type { DataOf } from "@tradepost/client/operations";
import type { Person } from "./manage.ts";

export type Entry = Pick<DataOf<"listAuditLog">[number], "at" | "action" | "changes"> & {
  readonly target: { readonly id: string };
};

export const LINK_MADE = "user.setup_link_made";

/** The fields whose change ends a link. */
const ENDING = ["role", "active", "password"];

/**
 * Returns when the latest link expires, `ended` if something else has ended it, and undefined if the log does not say.
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
