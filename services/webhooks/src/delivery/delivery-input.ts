import { isSubscribable, subscribableTypes } from "@tradepost/event-catalog";
import { pageQuery } from "@tradepost/http";
import { z } from "zod";
import { deliveryStatuses } from "./delivery.ts";

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  subscriptionId: z.uuid("must be a UUID").optional(),
  status: z.enum(deliveryStatuses, `must be one of ${deliveryStatuses.join(", ")}`).optional(),
  type: z.string().max(255).optional(),
});

export const sendTestInput = z.strictObject({
  type: z
    .string("must be a string")
    .refine(isSubscribable, `must be one of ${subscribableTypes.join(", ")}`)
    .optional(),
});
