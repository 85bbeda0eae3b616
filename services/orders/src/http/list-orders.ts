// GET /v1/orders: the tenant's orders with their lines, newest first, by any of the filters together.
import { type ApiRequest, type ApiResponse, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import { channels } from "../order/order-input.ts";
import * as store from "../order/order-store.ts";
import type { Orders } from "./context.ts";

const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of ${values.join(", ")}`).optional();
const TIME_LENGTH_MAX = 64;
// Other years, offsets and lengths are times to the standard, and errors to Postgres.
const isWithinBounds = (time: string) =>
  /^(?!0000).*(Z|[+-](0\d|1[0-5]):\d\d)$/.test(time) && time.length <= TIME_LENGTH_MAX;
const timestamp = z.iso
  .datetime({
    offset: true,
    abort: true,
    error: "must be an ISO 8601 timestamp with its offset, like 2026-08-20T09:30:00Z",
  })
  .refine(
    isWithinBounds,
    `must be after the year 0, less than 16 hours from UTC, and at most ${TIME_LENGTH_MAX} characters`,
  )
  .optional();

export const ordersQuery = z.strictObject({
  ...pageQuery,
  status: oneOf(["placed", "fulfilled", "delivered", "cancelled"]),
  paymentStatus: oneOf(["unpaid", "failed", "paid", "partially_refunded", "refunded"]),
  customerId: z.string().toLowerCase().optional(),
  channel: oneOf(channels),
  orderNumber: z.string().optional(),
  createdAfter: timestamp,
  createdBefore: timestamp,
});

export function listOrders({ tenants }: Orders) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof ordersQuery>>): Promise<ApiResponse> => {
    const { db, tenantId } = tenants.of(principal.tenantId);
    return listed(cursorPage(await store.listOrders(db, tenantId, query, query), query.limit));
  };
}
