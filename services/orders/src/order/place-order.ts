// Takes a valid body to a committed order with its event: price it, write it, say so to the relay.
import { ApiError, invalid, notFound } from "@tradepost/http";
import { outboxRow } from "@tradepost/messaging";
import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { insertOrder, passTakenNumbers } from "./insert-order.ts";
import { priceOrder } from "./order.ts";
import type { OrderInput } from "./order-input.ts";
import { newOrderResource } from "./order-resource.ts";

type Cause = Parameters<typeof outboxRow>[3];

// Each try passes up to 10,000 numbers in its way; only a longer import, or another order in between, needs one more.
const NUMBER_TRIES_MAX = 20;

/**
 * Out: the order as the API shows it. Throws 422 for amounts that do not come out, 404 for a customer that is not
 * the tenant's, 409 `order_number_taken` for a supplied number that exists. Writes nothing in any of these cases.
 * A generated number that meets a supplied one is passed over; the caller never learns of it (contract §4).
 */
export async function placeOrder(pool: Pool, input: OrderInput, cause: Cause) {
  const outcome = priceOrder(input);
  if ("faults" in outcome) throw invalid(outcome.faults);
  const { priced } = outcome;
  const order = newOrderResource(uuidv7(), priced);
  const { internalNote: _, ...shownInEvent } = order;
  const event = outboxRow("order.placed", order.id, { order: shownInEvent }, cause);

  for (let tries = 0; tries < NUMBER_TRIES_MAX; tries += 1) {
    const written = await insertOrder(pool, order, priced, event);
    if (written === "no such customer") throw notFound("customer");
    if (written !== "number taken") {
      const { id, ...rest } = order;
      return { id, orderNumber: written.orderNumber, ...rest, createdAt: written.createdAt };
    }
    if (input.orderNumber !== undefined) {
      throw new ApiError("order_number_taken", "An order with this orderNumber exists already.");
    }
    await passTakenNumbers(pool, cause.principal.tenantId);
  }
  throw new Error("no free order number was found");
}
