// POST /v1/orders/bulk: up to 100 orders, each a success or a failure of its own.
import { ApiError, type ApiRequest, type FieldFault, places, validate } from "@tradepost/http";
import { z } from "zod";
import { once } from "../idempotency/once.ts";
import * as order from "../order/place-orders.ts";
import type { Orders } from "./context.ts";

const ORDERS_MAX = 100;

const ordersInput = z.strictObject({
  orders: z
    .array(z.unknown(), "must be a list of orders")
    .min(1, "must hold at least 1 order")
    .max(ORDERS_MAX, `must hold at most ${ORDERS_MAX} orders`),
});

/** The list is judged as a whole; its orders one by one as they are placed, for the faults of one are its own. */
export function ordersBody(json: unknown, beside: readonly FieldFault[]): readonly unknown[] {
  const outcome = ordersInput.safeParse(json, { reportInput: true });
  if (!outcome.success || beside.length > 0) validate(ordersInput, json, beside);
  return outcome.data?.orders ?? [];
}

// An import holds a connection to the database for seconds, and the numbers of its tenant. So a tenant's imports follow
// one another before they take a connection, and all imports together leave most of the connections to others.
const TURNS = {
  inProgressMax: 4,
  inProgressOfTenantMax: 1,
  // Each holds a parsed body of some 10 MB.
  waitingMax: 16,
  waitingOfTenantMax: 8,
  // The gateway waits 30 s.
  waitMsMax: 25_000,
};
const RETRY_AFTER = { headers: { "retry-after": "5" } };

export function placeOrders({ tenants, onCommit }: Orders) {
  const takeTurn = places(TURNS, (exhausted) =>
    exhausted === "tenant"
      ? new ApiError("rate_limited", "Too many imports of this tenant are in progress.", RETRY_AFTER)
      : new ApiError("service_unavailable", "Too many imports are in progress; try again.", RETRY_AFTER),
  );
  const place = once<readonly unknown[]>(tenants, async (tenant, request) => {
    const answer = await order.placeOrders(tenant, request);
    onCommit();
    return answer;
  });
  return async (request: ApiRequest<readonly unknown[], undefined>) => {
    const leave = await takeTurn(request.principal.tenantId, request.raw.socket);
    try {
      return await place(request);
    } finally {
      leave();
    }
  };
}
