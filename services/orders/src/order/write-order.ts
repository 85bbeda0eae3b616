// Takes a valid body to a committed order: prices it, gives it an id and an event, and inserts it.
import { ApiError, type IdempotencyKey, invalid, notFound } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Tables } from "../tables.ts";
import { insertOrder, passTakenNumbers } from "./insert-order.ts";
import type { OrderInput } from "./order-input.ts";
import { newOrderResource, type Order } from "./order-resource.ts";
import { priceOrder } from "./price-order.ts";

type Request = Cause & { readonly idempotencyKey: IdempotencyKey | null };

// Each try passes up to 10,000 taken numbers. Only a longer import, or another order at the same moment, needs one more.
const TRIES_MAX = 20;

/**
 * Returns the order as the API shows it. `recordsResponse` is false for an order of an import, whose record holds the
 * response to the whole import. A generated number that another order has is passed, and the caller does not notice
 * (interface §4).
 * @throws 422 where an amount is out of bounds, 404 where the customer does not exist, 409 `order_number_taken` where
 * the supplied number does. Nothing is written then.
 */
export async function writeOrder(
  tx: TenantStatements<Tables>,
  input: OrderInput,
  request: Request,
  { recordsResponse }: { recordsResponse: boolean },
): Promise<Order> {
  const { idempotencyKey } = request;
  const priced = priceOrder(input);
  if ("faults" in priced) throw invalid(priced.faults);
  const id = newId();
  const resource = newOrderResource(priced);
  const event = outboxRow("order.placed", id, {}, request);
  const order = { id, priced, resource, event, idempotencyKey, recordsResponse };

  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const inserted = await insertOrder(tx, order);
    if (inserted === "customer not found") throw notFound("customer");
    if (inserted !== "number taken") {
      return { id, ...inserted, ...resource, internalNote: input.internalNote };
    }
    if (input.orderNumber !== undefined) {
      throw new ApiError("order_number_taken", "Another order has this orderNumber.");
    }
    await passTakenNumbers(tx);
  }
  throw new Error("no free order number was found");
}
