import type { ItemOf } from "@tradepost/client/operations";

// Amounts have at most four decimals, and the sum of floating-point numbers may have more.
const UNITS_PER_ONE = 10_000;

/** Cancelled orders do not count. Each sum is of a currency, less refunds. */
export function summaryOf(orders: readonly ItemOf<"listOrders">[]) {
  const kept = orders.filter(({ status }) => status !== "cancelled");
  const units = new Map<string, number>();
  for (const { currency, payableTotal, total, refundedTotal } of kept) {
    const amount =
      Math.round((payableTotal ?? total) * UNITS_PER_ONE) - Math.round(refundedTotal * UNITS_PER_ONE);
    units.set(currency, (units.get(currency) ?? 0) + amount);
  }
  return {
    count: kept.length,
    sums: [...units].map(([currency, sum]) => ({ currency, amount: sum / UNITS_PER_ONE })),
  };
}
