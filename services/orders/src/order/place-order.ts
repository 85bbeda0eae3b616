// Takes a valid body to a committed order with its event, and to the answer that tells of it.

import { ApiError, type ApiRequest, type ApiResponse, invalid, notFound } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { TenantDatabase, TenantStatements } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Tables } from "../tables.ts";
import { insertOrder, passTakenNumbers, placedAnswer } from "./insert-order.ts";
import { priceOrder } from "./order.ts";
import type { OrderInput } from "./order-input.ts";
import { newOrderResource, type Order } from "./order-resource.ts";

type Request = Cause & Pick<ApiRequest<unknown, unknown>, "idempotencyKey">;

// Each try passes up to 10,000 numbers in its way; only a longer import, or another order in between, needs one more.
const NUMBER_TRIES_MAX = 20;

/**
 * Out: 201 with the order as the API shows it. Throws 422 for amounts that do not come out, 404 for a customer that is
 * not the tenant's, 409 `order_number_taken` for a supplied number that exists. Writes nothing in any of these cases.
 */
export async function placeOrder(
  tenant: TenantDatabase<Tables>,
  input: OrderInput,
  request: Request,
): Promise<ApiResponse> {
  const order = await writeOrder(tenant.batched, input, request, { keepsAnswer: true });
  return placedAnswer(order.id, order);
}

/**
 * One order, on its own or among others in a transaction, where the record of the answer is kept by whoever knows all
 * of it. Out: the order as the API shows it. Throws as `placeOrder` does.
 * A generated number that meets a supplied one is passed over; the caller never learns of it (contract §4).
 */
export async function writeOrder(
  within: TenantStatements<Tables>,
  input: OrderInput,
  request: Request,
  { keepsAnswer }: { keepsAnswer: boolean },
): Promise<Order> {
  const outcome = priceOrder(input);
  if ("faults" in outcome) throw invalid(outcome.faults);
  const { priced } = outcome;
  const id = newId();
  const shown = newOrderResource(priced);
  const event = outboxRow("order.placed", id, {}, request);
  const order = { id, priced, shown, event, key: request.idempotencyKey, keepsAnswer };

  for (let tries = 0; tries < NUMBER_TRIES_MAX; tries += 1) {
    const written = await insertOrder(within, order);
    if (written === "no such customer") throw notFound("customer");
    if (written !== "number taken") return { id, ...written, ...shown, internalNote: input.internalNote };
    if (input.orderNumber !== undefined) {
      throw new ApiError("order_number_taken", "An order with this orderNumber exists already.");
    }
    await passTakenNumbers(within);
  }
  throw new Error("no free order number was found");
}
