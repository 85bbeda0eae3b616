// The data of each event that the platform emits (interface §6). Tests check published events against the schemas; the
// documentation shows the examples.
import { z } from "zod";
import { contentTypeData, contentTypeExample } from "./data/content-type.ts";
import { customerData, customerExamples } from "./data/customer.ts";
import { entryData, entryExamples, entryUpdatedData, revisionData, revisionExample } from "./data/entry.ts";
import { mediaData, mediaExamples } from "./data/media.ts";
import {
  orderData,
  orderExamples,
  orderPaymentData,
  orderRefundData,
  orderUpdatedData,
} from "./data/order.ts";
import { redirectData, redirectExamples } from "./data/redirect.ts";

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
  "order.placed": { schema: orderData, example: orderExamples["order.placed"] },
  "order.paid": { schema: orderPaymentData, example: orderExamples["order.paid"] },
  "order.payment_failed": { schema: orderPaymentData, example: orderExamples["order.payment_failed"] },
  "order.fulfilled": { schema: orderData, example: orderExamples["order.fulfilled"] },
  "order.delivered": { schema: orderData, example: orderExamples["order.delivered"] },
  "order.cancelled": { schema: orderData, example: orderExamples["order.cancelled"] },
  "order.refunded": { schema: orderRefundData, example: orderExamples["order.refunded"] },
  "order.updated": { schema: orderUpdatedData, example: orderExamples["order.updated"] },
  "customer.created": { schema: customerData, example: customerExamples["customer.created"] },
  "customer.updated": { schema: customerData, example: customerExamples["customer.updated"] },
  "customer.erased": { schema: customerData, example: customerExamples["customer.erased"] },
  "content.entry.created": { schema: entryData, example: entryExamples["content.entry.created"] },
  "content.entry.updated": { schema: entryUpdatedData, example: entryExamples["content.entry.updated"] },
  "content.entry.published": { schema: entryData, example: entryExamples["content.entry.published"] },
  "content.entry.scheduled": { schema: entryData, example: entryExamples["content.entry.scheduled"] },
  "content.entry.unpublished": { schema: entryData, example: entryExamples["content.entry.unpublished"] },
  "content.entry.deleted": { schema: entryData, example: entryExamples["content.entry.deleted"] },
  "content.revision.created": { schema: revisionData, example: revisionExample },
  "content_type.upserted": { schema: contentTypeData, example: contentTypeExample },
  "media.uploaded": { schema: mediaData, example: mediaExamples["media.uploaded"] },
  "media.processed": { schema: mediaData, example: mediaExamples["media.processed"] },
  "media.updated": { schema: mediaData, example: mediaExamples["media.updated"] },
  "media.deleted": { schema: mediaData, example: mediaExamples["media.deleted"] },
  "redirect.added": { schema: redirectData, example: redirectExamples["redirect.added"] },
  "redirect.removed": { schema: redirectData, example: redirectExamples["redirect.removed"] },
  "tenant.created": { schema: tenantData, example: tenantExample },
};

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
