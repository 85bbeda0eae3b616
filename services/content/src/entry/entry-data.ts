// An entry's data: what a change makes of it, and the assets and entries that it refers to. Pure.
import { canonicalJson } from "@tradepost/runtime";
import type { Field } from "../content-type/content-type.ts";

export type EntryData = Readonly<Record<string, unknown>>;

/** Merges the changes into the data. `null` removes a field. */
export function withChanges(data: EntryData, changes: EntryData): EntryData {
  const entries = Object.entries({ ...data, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** True if both are the same JSON, whatever the order of their keys. */
export function isSameData(one: EntryData, other: EntryData): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The media assets and entries that the data refers to, by field. */
export function referencedIds(data: EntryData, fields: readonly Field[]) {
  return fields.flatMap(({ key, type }) => {
    const id = data[key];
    return (type === "media" || type === "reference") && typeof id === "string"
      ? [{ key, type, id: id.toLowerCase() }]
      : [];
  });
}
