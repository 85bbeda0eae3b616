// Places an order from a valid body: prices it, gives it an id and an event, and inserts it.
import { ApiError, type IdempotencyKey, invalid, notFound } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import { type TenantStatements, violatedConstraint } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Tables } from "../tables.ts";
import { EXTERNAL_IDS_KEY, findByNumber, insertOrder, skipTakenNumbers } from "./insert-order.ts";
import { newOrderResource } from "./new-order-resource.ts";
import type { OrderInput } from "./order-input.ts";
import type { Order } from "./order-resource.ts";
import { priceOrder } from "./price-order.ts";

// Another try is needed only for more than 10,000 taken numbers in a row, or if a concurrent order takes the number.
const TRIES_MAX = 20;

/**
 * Returns the order as the API shows it. `recordsResponse` is false for an order of an import, whose record holds the
 * response to the whole import. A generated number that another order has is skipped, and the caller does not notice
 * (interface §4).
 * @throws 422 if an amount is out of bounds, 404 if the customer does not exist, 409 `order_exists` or
 * `order_number_taken` with `orderId` if another order has the external id or the supplied number, and an error for which
 * `isTwin` is true. Nothing is written then.
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
  const resource = newOrderResource(id, priced);
  const event = outboxRow("order.placed", id, {}, cause);
  const order = { id, priced, resource, event, idempotencyKey, recordsResponse };

  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const inserted = await insertOrder(tx, order);
    if (inserted === "customer not found") throw notFound("customer");
    if (inserted === "number taken") {
      if (input.orderNumber !== undefined) throw await numberTaken(tx, input.orderNumber);
      await skipTakenNumbers(tx);
      continue;
    }
    if (!("existingId" in inserted))
      return { id, ...inserted, ...resource, internalNote: input.internalNote };
    throw new ApiError("order_exists", "The channel has an order with this externalId.", {
      extra: { orderId: inserted.existingId },
    });
  }
  throw new Error("no free order number was found");
}

async function numberTaken(tx: TenantStatements<Tables>, orderNumber: string): Promise<ApiError> {
  const orderId = await findByNumber(tx, orderNumber);
  return new ApiError("order_number_taken", "Another order has this orderNumber.", { extra: { orderId } });
}

/**
 * True if another order with the same external id committed at the same moment. The transaction is aborted; writing the
 * order again in a new one is 409 `order_exists`.
 */
export function isTwin(error: unknown): boolean {
  return violatedConstraint(error) === EXTERNAL_IDS_KEY;
}
