// The names of actors and targets: the staff and the keys of the shop.
import type { DataOf } from "@tradepost/client/operations";
import { useList } from "../../data/use-list.ts";

type Entry = DataOf<"listAuditLog">[number];

const QUERY = { limit: 100 };

export interface Names {
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

/** Returns the newest of each. The lists are empty until they are read; the ids are shown meanwhile. */
export function useNames(): Names {
  const people = useList("listUsers", QUERY).items ?? [];
  const keys = useList("listApiKeys", QUERY).items ?? [];
  return {
    people: people.map(({ id, name }) => ({ id, name })),
    keys: keys.map(({ id, label }) => ({ id, name: label })),
  };
}

/** Undefined if the target is in neither list and the entry does not name it. */
export function nameOfTarget({ target, actor, changes }: Entry, { people, keys }: Names): string | undefined {
  if (target.id === actor.id) return actor.name;
  const known = [...people, ...keys].find(({ id }) => id === target.id)?.name;
  const [recorded] = [changes.name, changes.label, changes.email].filter(
    (value) => typeof value === "string",
  );
  return known ?? recorded;
}
