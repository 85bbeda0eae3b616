import { isSubscribable, subscribableType, subscribableTypes } from "@tradepost/event-catalog";
import { pageQuery, shaped, storableTime } from "@tradepost/http";
import { z } from "zod";
import { deliveryStatuses, outcomes } from "../delivery-status.ts";

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  subscriptionId: z.uuid("must be a UUID").optional().describe("Only deliveries to this subscription."),
  status: z
    .enum(deliveryStatuses, `must be one of ${deliveryStatuses.join(", ")}`)
    .optional()
    .describe("Only deliveries with this status."),
  type: z.string().max(255).optional().describe("The event's type."),
  eventId: z.uuid("must be a UUID").optional().describe("Only deliveries of this event."),
  outcome: z
    .enum(outcomes, `must be one of ${outcomes.join(", ")}`)
    .optional()
    .describe("Of the latest attempt."),
  statusCode: shaped(
    z
      .string()
      .regex(/^[1-9]\d\d$/, "must be an HTTP status code")
      .transform(Number),
    z.int().min(100).max(999),
  )
    .optional()
    .describe("Of the latest attempt's response."),
  createdAfter: storableTime.optional().describe("Inclusive."),
  createdBefore: storableTime.optional().describe("Exclusive."),
});

export const sendTestInput = z.strictObject({
  type: shaped(
    z.string("must be a string").refine(isSubscribable, `must be one of ${subscribableTypes.join(", ")}`),
    subscribableType,
  )
    .optional()
    .describe("By default the first type that is subscribed to."),
});
