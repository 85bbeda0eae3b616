import { changeOf, csvOf, currenciesOf, figuresOf } from "./figures.ts";

const bucket = (orders: number, total: number, refunded = 0) => ({
  ...{ at: "2026-11-24T00:00:00.000Z", orders, total, refunded, paid: 0 },
});

test("sums are exact", () => {
  const buckets = [bucket(1, 0.1), bucket(2, 0.2, 0.1), bucket(0, 0)];
  expect(figuresOf(buckets)).toEqual({ orders: 3, revenue: 0.2, refunded: 0.1, average: 0.3 / 3 });
  expect(figuresOf([])).toEqual({ orders: 0, revenue: 0, refunded: 0, average: null });
});

test("the shop's currency comes first, then the one with the most orders", () => {
  const of = (currency: string, orders: number) => ({ currency, buckets: [bucket(orders, 1)] });
  expect(currenciesOf([of("JPY", 2), of("EUR", 9), of("USD", 1)])).toEqual(["USD", "EUR", "JPY"]);
});

test("a change is in per cent, or by how many times, if there was something before", () => {
  const texts = [
    ...[changeOf(125, 100), changeOf(92, 100), changeOf(5, 5), changeOf(1_250, 100), changeOf(5, 0)],
    ...[changeOf(null, 5), changeOf(1.001, 1)],
  ].map((change) => change && `${change.direction} ${change.text}`);
  expect(texts).toEqual(["up 25 %", "down 8 %", "same 0 %", "up ×13", undefined, undefined, "same 0 %"]);
});

test("the file has a line for each part, beside the part before", () => {
  expect(csvOf("EUR", [bucket(2, 20.5, 0.5), bucket(0, 0)], [bucket(1, 7)])).toBe(
    "from,currency,orders,revenue,refunded,ordersBefore,revenueBefore,refundedBefore\r\n" +
      "2026-11-24T00:00:00.000Z,EUR,2,20,0.5,1,7,0\r\n" +
      "2026-11-24T00:00:00.000Z,EUR,0,0,0,0,0,0\r\n",
  );
});
