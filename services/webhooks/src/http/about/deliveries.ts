// Describes the operations on deliveries (interface §7). Pure.
import { subscribableType } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { deliveryStatuses, outcomes } from "../../delivery-status.ts";

const tag = "Webhook deliveries";

/** Also the response to `sendTestDelivery`. */
export const delivery = z
  .strictObject({
    id: z.uuid().describe("The same in every attempt: `X-service-Delivery`."),
    subscriptionId: z.uuid(),
    eventId: z.uuid(),
    type: subscribableType,
    status: z
      .enum(deliveryStatuses)
      .describe(
        "`paused` while its subscription is paused; `cancelled` if that was deleted before it was delivered.",
      ),
    attemptCount: z.int().nonnegative().describe("Since the latest redelivery."),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable().describe("Null if none is planned."),
    completedAt: z.iso.datetime().nullable().describe("When it was delivered, failed or cancelled."),
  })
  .meta({ id: "Delivery", description: "An event on its way to one subscription." });

const attempt = z
  .strictObject({
    round: z.int().positive().describe("1 at first; grows with each redelivery."),
    attempt: z.int().positive().describe("From 1 in each round: `X-service-Attempt`."),
    at: z.iso.datetime(),
    durationMs: z.int().nonnegative().describe("In milliseconds."),
    outcome: z.enum(outcomes).describe("`http_status`: a status outside 200 to 299."),
    statusCode: z.int().nullable().describe("Null if there was no response."),
    responseBody: z
      .string()
      .nullable()
      .describe("The first 2 KiB of the response, decoded if it is compressed."),
  })
  .meta({ id: "Attempt", description: "An attempt to deliver." });

const request = z
  .strictObject({
    url: z.string().optional().describe("Missing for a listener's delivery."),
    headers: z
      .record(z.string(), z.string())
      .describe("Without the signatures. The values of the subscription's own headers are `•••`."),
    body: z.string().describe("The text whose bytes were sent."),
  })
  .meta({ id: "DeliveryRequest", description: "The latest attempt's request as it was sent." });

const deliveryWithAttempts = delivery
  .extend({
    attempts: z.array(attempt).describe("Oldest first."),
    request: request.nullable().describe("Null before the first attempt."),
  })
  .meta({ id: "DeliveryWithAttempts", description: "A delivery with all of its attempts." });

export const deliveryAbouts = {
  list: {
    id: "listDeliveries",
    tag,
    summary: "List deliveries, newest first",
    description:
      "A request searches at most 10,000 deliveries for `type`, for `status` and for the results of the latest attempt: a page may have fewer deliveries than `limit`, even none, while `nextCursor` is not null.",
    responses: { 200: page(delivery) },
  },
  get: {
    id: "getDelivery",
    tag,
    summary: "Get a delivery with its attempts",
    responses: { 200: data(deliveryWithAttempts) },
  },
  redeliver: {
    id: "redeliver",
    tag,
    summary: "Deliver again",
    description:
      "The same delivery with a new set of attempts, whatever its status. `conflict`: its subscription has been deleted.",
    responses: { 202: data(delivery) },
    errors: ["conflict"],
  },
} satisfies Record<string, About>;
