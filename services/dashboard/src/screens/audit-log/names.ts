// The name of the target of an entry.
import type { DataOf } from "@tradepost/client/operations";
import type { Actors } from "../../data/use-actors.ts";

type Entry = DataOf<"listAuditLog">[number];

/** Undefined if the target is neither a known person or key nor named by the entry. */
export function nameOfTarget(
  { target, actor, changes }: Entry,
  { people, keys }: Actors,
): string | undefined {
  if (target.id === actor.id) return actor.name;
  const known = [...people, ...keys].find(({ id }) => id === target.id)?.name;
  const [recorded] = [changes.name, changes.label, changes.email].filter(
    (value) => typeof value === "string",
  );
  return known ?? recorded;
}
