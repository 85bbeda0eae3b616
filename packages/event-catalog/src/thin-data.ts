// The thin form of an event's data (interface §24): what identifies the resource, and which fields changed. Pure.
import { z } from "zod";

const KEPT: Readonly<Record<string, readonly string[]>> = {
  entry: ["id", "type", "slug", "locale", "status", "version"],
  media: ["id", "contentType", "status"],
  redirect: ["id", "from", "version"],
  order: [
    ...["id", "orderNumber", "externalId", "channel"],
    ...["status", "paymentStatus", "fulfillment", "version"],
  ],
};
const BYTES_MAX = 8 * 1024;

type Data = Readonly<Record<string, unknown>>;

export function thinDataOf(data: Data): Data {
  const resources = Object.entries(KEPT).flatMap(([key, kept]) => {
    const resource = data[key] as Data | undefined;
    return resource === undefined ? [] : [[key, pick(resource, kept)] as const];
  });
  const { changedFields, test } = data;
  const rest = { ...Object.fromEntries(resources), ...(test === true && { test }) };
  return Array.isArray(changedFields) ? { ...rest, changedFields: fitting(changedFields, rest) } : rest;
}

export function thinSchemaOf(schema: z.ZodObject): z.ZodObject {
  const { shape } = schema;
  const keys = [...Object.keys(KEPT), "changedFields"].filter((key) => key in shape);
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, thinOf(key, shape[key] as z.ZodType)])));
}

function pick(resource: Data, fields: readonly string[]): Data {
  return Object.fromEntries(fields.flatMap((field) => (field in resource ? [[field, resource[field]]] : [])));
}

/** By the full schema, so that the API description has each once. */
const thinSchemas = new Map<z.ZodType, z.ZodType>();

function thinOf(key: string, schema: z.ZodType): z.ZodType {
  const kept = KEPT[key];
  if (kept === undefined) return schema;
  const made = thinSchemas.get(schema);
  if (made !== undefined) return made;
  const thin = z.strictObject(pick((schema as z.ZodObject).shape, kept) as z.ZodRawShape);
  const id = `Thin${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;
  thinSchemas.set(schema, thin.meta({ id, description: "What identifies it." }));
  return thinOf(key, schema);
}

/** Drops the last names beyond `BYTES_MAX`: an entry whose content type was replaced may have changed 200 fields. */
function fitting(names: readonly unknown[], rest: Data): unknown[] {
  let bytes = Buffer.byteLength(JSON.stringify({ ...rest, changedFields: [] }));
  return names.filter((name) => {
    bytes += Buffer.byteLength(JSON.stringify(name)) + 1;
    return bytes <= BYTES_MAX;
  });
}
