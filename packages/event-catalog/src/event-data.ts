// The data of each event that the platform emits (interface §6). The tests of the services check published events against the
// schemas; the documentation shows the examples.
import type { z } from "zod";
import { contentTypeData, contentTypeExample } from "./data/content-type.ts";
import { customerData, customerExamples } from "./data/customer.ts";
import { entryData, entryExamples, entryUpdatedData, revisionData, revisionExample } from "./data/entry.ts";
import { mediaData, mediaExamples } from "./data/media.ts";
import { orderData, orderExamples, orderPaymentData, orderRefundData } from "./data/order.ts";
import { redirectData, redirectExamples } from "./data/redirect.ts";
import { tenantData, tenantExample } from "./data/tenant.ts";

/** The schema of an event's `data` and an example. */
export interface EventData {
  readonly schema: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The data of all events by type: the events that are published, and those that appear only in change feeds. */
export const eventData: Readonly<Record<string, EventData>> = {
  "order.placed": { schema: orderData, example: orderExamples["order.placed"] },
  "order.paid": { schema: orderPaymentData, example: orderExamples["order.paid"] },
  "order.payment_failed": { schema: orderPaymentData, example: orderExamples["order.payment_failed"] },
  "order.fulfilled": { schema: orderData, example: orderExamples["order.fulfilled"] },
  "order.delivered": { schema: orderData, example: orderExamples["order.delivered"] },
  "order.cancelled": { schema: orderData, example: orderExamples["order.cancelled"] },
  "order.refunded": { schema: orderRefundData, example: orderExamples["order.refunded"] },
  "order.updated": { schema: orderData, example: orderExamples["order.updated"] },
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
  "media.deleted": { schema: mediaData, example: mediaExamples["media.deleted"] },
  "redirect.added": { schema: redirectData, example: redirectExamples["redirect.added"] },
  "redirect.removed": { schema: redirectData, example: redirectExamples["redirect.removed"] },
  "tenant.created": { schema: tenantData, example: tenantExample },
};
