// Reads what the audit log says about setup links, if somebody is invited.
import { useList } from "../../data/use-list.ts";
import { type Entry, LINK_MADE } from "./invitation.ts";
import type { Person } from "./manage.ts";

const LIMIT = 100;

/** Returns the newest entries, or undefined until they are read. */
export function useInvitations(people: readonly Person[]): readonly Entry[] | undefined {
  const isAllowed = people.some(({ state }) => state === "invited");
  const made = useList("listAuditLog", { action: LINK_MADE, limit: LIMIT }, { isAllowed });
  const changed = useList("listAuditLog", { action: "user.updated", limit: LIMIT }, { isAllowed });
  if (made.items === undefined || changed.items === undefined) return undefined;
  return [...made.items, ...changed.items];
}
