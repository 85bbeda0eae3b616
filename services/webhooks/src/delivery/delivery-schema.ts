// The API description of a delivery (interface §7). Pure.
import { subscribableType } from "@tradepost/event-catalog";
import { z } from "zod";
import { deliveryStatuses } from "../delivery-status.ts";

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
