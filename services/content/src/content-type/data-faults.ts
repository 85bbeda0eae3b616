// Validates an entry's data against its type's fields: what a draft may contain, and what it must contain to go live. Pure.
import { controlFault, type FieldFault, isUuid, timestamp } from "@tradepost/http";
import { isRawNumber } from "@tradepost/runtime";
import type { Field } from "./content-type.ts";

const VALIDATORS: Readonly<Record<Field["type"], (value: unknown) => string | null>> = {
  text: (value) => (typeof value === "string" ? controlFault(value, true) : "must be a string"),
  // Text, or the tree of a rich-text editor.
  richtext: (value) => {
    if (typeof value === "string") return controlFault(value, true);
    return isTree(value) ? null : "must be a string, an object or a list";
  },
  number: (value) => (typeof value === "number" || isRawNumber(value) ? null : "must be a number"),
  boolean: (value) => (typeof value === "boolean" ? null : "must be true or false"),
  datetime: (value) => timestamp.safeParse(value).error?.issues[0]?.message ?? null,
  media: (value) => (isId(value) ? null : "must be the id of a media asset"),
  reference: (value) => (isId(value) ? null : "must be the id of an entry"),
  json: () => null,
};

/**
 * Returns every fault, with the path `data.<key>`. `mustBeComplete` is true for data that goes live: then no required
 * field may be missing.
 */
export function dataFaults(
  data: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  { mustBeComplete }: { mustBeComplete: boolean },
): FieldFault[] {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(data).filter((key) => !known.has(key));
  return [
    ...unknown.map((key) => ({ path: `data.${key}`, message: "is not a field of this content type" })),
    ...fields.flatMap((field) => {
      const value = Object.hasOwn(data, field.key) ? data[field.key] : undefined;
      const isMissing = value === undefined || value === "";
      const message =
        (value === undefined ? null : VALIDATORS[field.type](value)) ??
        (mustBeComplete && field.required && isMissing ? "is required" : null);
      return message === null ? [] : [{ path: `data.${field.key}`, message }];
    }),
  ];
}

function isId(value: unknown): boolean {
  return typeof value === "string" && isUuid(value.toLowerCase());
}

function isTree(value: unknown): boolean {
  return typeof value === "object" && value !== null && !isRawNumber(value);
}
