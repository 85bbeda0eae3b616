import { useFurtherPages, useList } from "../../data/operations.ts";
import { type Entry, LINK_MADE, type Person } from "./manage.ts";

const LIMIT = 100;

export function useInvitations(people: readonly Person[]): readonly Entry[] | undefined {
  const isAllowed = people.some(({ state }) => state === "invited");
  const made = useList("listAuditLog", { action: LINK_MADE, limit: LIMIT }, { isAllowed });
  const changed = useList("listAuditLog", { action: "user.updated", limit: LIMIT }, { isAllowed });
  if (made.items === undefined || changed.items === undefined) return undefined;
  return [...made.items, ...changed.items];
}

export const STAFF_QUERY = { limit: 100 };

/** Reads pages until the person is found, because the platform can only list people. */
export function usePerson(id: string) {
  const list = useList("listUsers", STAFF_QUERY);
  const { items, hasNextPage } = list;
  const person = items?.find((one) => one.id === id);
  useFurtherPages(list, person === undefined);
  const isUnknown = person === undefined && items !== undefined && !hasNextPage;
  return { person, isUnknown, read: { ...list, data: person } };
}
