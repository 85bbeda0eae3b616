// Judges an entry's data against its type's fields: what a draft may hold, and what must be there to go live. Pure.
import { type FieldFault, isUuid } from "@tradepost/http";
import { canonicalJson, isRawNumber } from "@tradepost/runtime";
import { z } from "zod";
import type { Field } from "../content-type/content-type.ts";

export type EntryData = Readonly<Record<string, unknown>>;

const instant = z.iso.datetime({ offset: true });

const JUDGES: Readonly<Record<Field["type"], (value: unknown) => string | null>> = {
  text: (value) => (typeof value === "string" ? null : "must be a string"),
  // As text, or as the tree that an editor keeps.
  richtext: (value) =>
    typeof value === "string" || isTree(value) ? null : "must be a string, an object or a list",
  number: (value) => (typeof value === "number" || isRawNumber(value) ? null : "must be a number"),
  boolean: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  datetime: (value) =>
    instant.safeParse(value).success ? null : "must be an ISO 8601 time: 2026-01-31T09:00:00Z",
  media: (value) => (isId(value) ? null : "must be the id of a media asset"),
  reference: (value) => (isId(value) ? null : "must be the id of an entry"),
  json: () => null,
};

/**
 * In: the data and its type's fields; `isToBeWhole` where it goes live, and nothing that is required may be missing.
 * Out: every fault, by `data.<key>`.
 */
export function dataFaults(
  data: EntryData,
  fields: readonly Field[],
  { isToBeWhole }: { isToBeWhole: boolean },
): FieldFault[] {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(data).filter((key) => !known.has(key));
  return [
    ...unknown.map((key) => ({ path: `data.${key}`, message: "is no field of the content type" })),
    ...fields.flatMap((field) => {
      const value = Object.hasOwn(data, field.key) ? data[field.key] : undefined;
      const isMissing = value === undefined || value === "";
      const message =
        (value === undefined ? null : JUDGES[field.type](value)) ??
        (isToBeWhole && field.required && isMissing ? "is required" : null);
      return message === null ? [] : [{ path: `data.${field.key}`, message }];
    }),
  ];
}

/** Out: the data with what is named changed, null taking away; the rest stays. */
export function withChanges(data: EntryData, changes: EntryData): EntryData {
  const entries = Object.entries({ ...data, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** True where both would be written alike, whatever the order of their keys. */
export function isSameData(one: EntryData, other: EntryData): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** The media assets and entries that the data names, by field. */
export function namedIds(data: EntryData, fields: readonly Field[]) {
  return fields.flatMap(({ key, type }) => {
    const id = data[key];
    return (type === "media" || type === "reference") && typeof id === "string"
      ? [{ key, type, id: id.toLowerCase() }]
      : [];
  });
}

function isId(value: unknown): boolean {
  return typeof value === "string" && isUuid(value.toLowerCase());
}

function isTree(value: unknown): boolean {
  return typeof value === "object" && value !== null && !isRawNumber(value);
}
