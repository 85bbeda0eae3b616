// The fields of a content type, and the data that they allow (interface §5). Pure.
import { controlFault, type FieldFault, isUuid, timestamp } from "@tradepost/http";
import { isRawNumber } from "@tradepost/json";
import type { ContentType, Field } from "../tables.ts";

type Definition = Pick<ContentType, "name" | "fields">;

export function isSameType(before: Definition, after: Definition): boolean {
  return before.name === after.name && isSameFields(before.fields, after.fields);
}

export function isSameFields(before: readonly Field[], after: readonly Field[]): boolean {
  const serialize = (fields: readonly Field[]) =>
    JSON.stringify(fields.map(({ key, type, required }) => [key, type, required]));
  return serialize(before) === serialize(after);
}

/** True if a field is removed, changes its type, or becomes required. */
export function mayInvalidateEntries(before: readonly Field[], after: readonly Field[]): boolean {
  const fieldsAfter = new Map(after.map((field) => [field.key, field]));
  const wasRequired = new Set(before.flatMap(({ key, required }) => (required ? key : [])));
  return (
    before.some(({ key, type }) => fieldsAfter.get(key)?.type !== type) ||
    after.some(({ key, required }) => required && !wasRequired.has(key))
  );
}

const VALIDATORS: Readonly<Record<Field["type"], (value: unknown) => string | null>> = {
  text: (value) => (typeof value === "string" ? controlFault(value, true) : "must be a string"),
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

/** In the order of the API description. Complete, because every type has a validator. */
export const fieldTypes = Object.keys(VALIDATORS) as readonly Field["type"][];

/** Every fault has the path `data.<key>`. With `mustBeComplete`, for data that goes live, a missing required field is a fault. */
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
