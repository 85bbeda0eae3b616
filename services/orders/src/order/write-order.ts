// Places an order from a valid body: prices it, gives it an id and an event, and inserts it.
import { ApiError, type IdempotencyKey, invalid, notFound } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Tables } from "../tables.ts";
import { insertOrder, skipTakenNumbers } from "./insert-order.ts";
import type { OrderInput } from "./order-input.ts";
import { newOrderResource, type Order } from "./order-resource.ts";
import { priceOrder } from "./price-order.ts";

// Another try is needed only for more than 10,000 taken numbers in a row, or if a concurrent order takes the number.
const TRIES_MAX = 20;

/**
 * Returns the order as the API shows it. `recordsResponse` is false for an order of an import, whose record holds the
 * response to the whole import. A generated number that another order has is skipped, and the caller does not notice
 * (interface §4).
 * @throws 422 if an amount is out of bounds, 404 if the customer does not exist, 409 `order_number_taken` if another order
 * has the supplied number. Nothing is written then.
 */
export async function writeOrder(
  tx: TenantStatements<Tables>,
  input: OrderInput,
  { idempotencyKey, recordsResponse }: { idempotencyKey: IdempotencyKey | null; recordsResponse: boolean },
  cause: Cause,
): Promise<Order> {
  const priced = priceOrder(input);
  if ("faults" in priced) throw invalid(priced.faults);
  const id = newId();
  const resource = newOrderResource(priced);
  const event = outboxRow("order.placed", id, {}, cause);
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
    await skipTakenNumbers(tx);
  }
  throw new Error("no free order number was found");
}
