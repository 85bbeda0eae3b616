// The names of those who act, and of what they act on: the staff and the keys of the shop.
import type { DataOf } from "@tradepost/client/operations";
import { useList } from "../../data/use-list.ts";

type Entry = DataOf<"listAuditLog">[number];

const QUERY = { limit: 100 };

export interface Names {
  readonly people: readonly { readonly id: string; readonly name: string }[];
  readonly keys: readonly { readonly id: string; readonly name: string }[];
}

/** The newest of each; empty until they are read, and then the ids stand for them. */
export function useNames(): Names {
  const people = useList("listUsers", QUERY).items ?? [];
  const keys = useList("listApiKeys", QUERY).items ?? [];
  return {
    people: people.map(({ id, name }) => ({ id, name })),
    keys: keys.map(({ id, label }) => ({ id, name: label })),
  };
}

/** Undefined for what is neither in the lists nor named by the entry. */
export function nameOfTarget({ target, actor, changes }: Entry, { people, keys }: Names): string | undefined {
  if (target.id === actor.id) return actor.name;
  const known = [...people, ...keys].find(({ id }) => id === target.id)?.name;
  const [recorded] = [changes.name, changes.label, changes.email].filter(
    (value) => typeof value === "string",
  );
  return known ?? recorded;
}
