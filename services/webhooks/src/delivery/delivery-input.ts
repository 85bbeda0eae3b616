import { isSubscribable, subscribableTypes } from "@tradepost/event-catalog";
import { pageQuery, storableTime } from "@tradepost/http";
import { z } from "zod";
import { deliveryStatuses, outcomes } from "./delivery.ts";

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  subscriptionId: z.uuid("must be a UUID").optional(),
  status: z.enum(deliveryStatuses, `must be one of ${deliveryStatuses.join(", ")}`).optional(),
  type: z.string().max(255).optional(),
  eventId: z.uuid("must be a UUID").optional(),
  outcome: z.enum(outcomes, `must be one of ${outcomes.join(", ")}`).optional(),
  statusCode: z
    .string()
    .regex(/^[1-9]\d\d$/, "must be an HTTP status code")
    .transform(Number)
    .optional(),
  createdAfter: storableTime.optional(),
  createdBefore: storableTime.optional(),
});

export const sendTestInput = z.strictObject({
  type: z
    .string("must be a string")
    .refine(isSubscribable, `must be one of ${subscribableTypes.join(", ")}`)
    .optional(),
});
