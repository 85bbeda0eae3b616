// The data of each event that the platform emits (interface §6). Tests check published events against the schemas; the
// documentation shows the examples.
import { z } from "zod";
import { contentTypeEvents } from "./data/content-type.ts";
import { customerEvents } from "./data/customer.ts";
import { entryEvents } from "./data/entry.ts";
import { mediaEvents } from "./data/media.ts";
import { orderEvents } from "./data/order.ts";
import { redirectEvents } from "./data/redirect.ts";

const tenantData = z.strictObject({
  tenant: z.strictObject({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    modules: z.array(z.enum(["content", "crm"])),
    createdAt: z.iso.datetime(),
  }),
});

const tenantExample = {
  tenant: {
    id: "0198c5b3-0b1c-7a2d-9e3f-405162738495",
    slug: "acme",
    name: "Acme",
    modules: ["content", "crm"],
    createdAt: "2026-08-20T09:30:00.000Z",
  },
};

export interface EventData {
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The events that are published, and those that appear only in change feeds. */
export const eventData: Readonly<Record<string, EventData>> = {
  ...orderEvents,
  ...customerEvents,
  ...entryEvents,
  ...contentTypeEvents,
  ...mediaEvents,
  ...redirectEvents,
  "tenant.created": { schema: tenantData, example: tenantExample },
};

/** Returns the types of the events of these nouns, such as `order`. */
export function eventTypesOf(...nouns: readonly string[]): string[] {
  return Object.keys(eventData).filter((type) => nouns.includes(type.split(".", 1)[0] ?? ""));
}

/** Returns JSON Schema without references: schemas that the API description shares by id are written out. */
export function plainSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { metadata: withoutIds as z.core.$ZodRegistry<Record<string, unknown>> });
}

/** Zod only reads it. */
const withoutIds: Pick<z.core.$ZodRegistry<Record<string, unknown>>, "get"> = {
  get: (schema) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  },
};
