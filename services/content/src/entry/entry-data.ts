// An entry's data: how changes are merged into it, and what it refers to. Pure.
import { invalid } from "@tradepost/http";
import { canonicalJson } from "@tradepost/json";
import type { Field } from "../tables.ts";

export type EntryData = Readonly<Record<string, unknown>>;

// Each event contains the entry's data, and several changes could add up to more than one request may contain.
const DATA_BYTES_MAX = 2 * 1024 * 1024;

export function withChanges(data: EntryData, changes: EntryData): EntryData {
  const entries = Object.entries({ ...data, ...changes });
  const after = Object.fromEntries(entries.filter(([, value]) => value !== null));
  if (Buffer.byteLength(JSON.stringify(after)) > DATA_BYTES_MAX)
    throw invalid([{ path: "data", message: "must be at most 2 MiB as JSON, with the fields that stay" }]);
  return after;
}

export function changedFields(before: EntryData, after: EntryData): string[] {
  return Object.keys({ ...before, ...after }).filter(
    (field) => jsonOf(before, field) !== jsonOf(after, field),
  );
}

function jsonOf(data: EntryData, field: string): string | null {
  return Object.hasOwn(data, field) ? canonicalJson(data[field]) : null;
}

export function referencedIds(data: EntryData, fields: readonly Field[]) {
  return fields.flatMap(({ key, type }) => {
    const id = data[key];
    return (type === "media" || type === "reference") && typeof id === "string"
      ? [{ key, type, id: id.toLowerCase() }]
      : [];
  });
}
