import type { ItemOf } from "@tradepost/client/operations";
import { sumOf } from "../../format/money.ts";

/** Cancelled orders do not count. Sums are by currency, less refunds. */
export function summaryOf(orders: readonly ItemOf<"listOrders">[]) {
  const kept = orders.filter(({ status }) => status !== "cancelled");
  const byCurrency = Map.groupBy(kept, ({ currency }) => currency);
  const sums = [...byCurrency].map(([currency, same]) => ({
    currency,
    amount: sumOf(same.map(({ payableTotal, refundedTotal }) => payableTotal - refundedTotal)),
  }));
  return { count: kept.length, sums };
}
