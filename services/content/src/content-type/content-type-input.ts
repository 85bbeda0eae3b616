// The body of PUT /v1/content-types/{slug} (interface §5). Pure.
import { type FieldFault, name } from "@tradepost/http";
import { z } from "zod";
import { fieldTypes } from "./fields.ts";

const FIELDS_MAX = 100;
const KEY = /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/;

export const slugFault = "must be 1 to 64 lower-case letters, digits and single hyphens";

export const typeSlug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);

export function isTypeSlug(slug: string): boolean {
  return typeSlug.safeParse(slug).success;
}

const field = z.strictObject({
  key: z
    .string("must be a string")
    .regex(KEY, "must be 1 to 64 letters, digits and underscores, and begin with a letter")
    .describe("The field's name in an entry's `data`; no key twice."),
  type: z
    .enum(fieldTypes, `must be one of ${fieldTypes.join(", ")}`)
    .describe("`media` and `reference` hold the id of a media asset or of an entry."),
  required: z
    .boolean("must be true or false")
    .default(false)
    .describe("Whether an entry needs it to go live."),
});

export const contentTypeInput = z.strictObject({
  name: name(200),
  fields: z
    .array(field, "must be a list of fields")
    .max(FIELDS_MAX, `must contain at most ${FIELDS_MAX} fields`),
});

/** Not in the schema, because zod would skip this check once a field is invalid. */
export function repeatedKeys(body: unknown): FieldFault[] {
  const { fields } = (body ?? {}) as { fields?: unknown };
  if (!Array.isArray(fields) || fields.length > FIELDS_MAX) return [];
  const keys: unknown[] = fields.map((one) => one?.key);
  return keys.flatMap((key, index) =>
    typeof key === "string" && keys.indexOf(key) < index
      ? [{ path: `fields[${index}].key`, message: "repeats the key of an earlier field" }]
      : [],
  );
}

export type ContentTypeInput = z.output<typeof contentTypeInput>;
