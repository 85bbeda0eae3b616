// The body of POST /v1/orders/bulk. Pure.
import { type FieldFault, validateNew } from "@tradepost/http";
import { z } from "zod";

const ORDERS_MAX = 100;

const importBody = z.strictObject({
  orders: z
    .array(z.unknown(), "must be a list of orders")
    .min(1, "must contain at least 1 order")
    .max(ORDERS_MAX, `must contain at most ${ORDERS_MAX} orders`),
});

/**
 * Validates the list and returns its orders, which are validated one by one as they are written: an order at fault fails
 * by itself. `otherFaults` are the faults outside the body; if there are any, they are thrown with those of the list.
 */
export function importInput(json: unknown, otherFaults: readonly FieldFault[]): readonly unknown[] {
  const parsed = importBody.safeParse(json, { reportInput: true });
  if (!parsed.success || otherFaults.length > 0) validateNew(importBody, json, otherFaults);
  return parsed.data?.orders ?? [];
}
