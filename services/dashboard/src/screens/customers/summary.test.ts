import type { ItemOf } from "@tradepost/client/operations";
import { summaryOf } from "./summary.ts";

const PLACED = { status: "placed", currency: "EUR", payableTotal: 0.1, refundedTotal: 0 };
const order = (values: object) => ({ ...PLACED, ...values }) as ItemOf<"listOrders">;

test("sums up the orders by currency, without cancelled ones and refunds", () => {
  const orders = [
    order({}),
    order({ payableTotal: 0.2 }),
    order({ payableTotal: 7, status: "cancelled" }),
    order({ total: 10.0049, payableTotal: 10, refundedTotal: 4, currency: "USD" }),
  ];
  expect(summaryOf(orders)).toEqual({
    count: 3,
    sums: [
      { currency: "EUR", amount: 0.3 },
      { currency: "USD", amount: 6 },
    ],
  });
  expect(summaryOf([])).toEqual({ count: 0, sums: [] });
});
