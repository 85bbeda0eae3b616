import { expect, test } from "@jest/globals";
import { changeText, salesOf, salesQuery } from "./sales.ts";

/** 60 days; each has as many orders as its number, from 1. */
const BUCKETS = Array.from({ length: 60 }, (_, index) => ({
  at: new Date(Date.UTC(2026, 8, index + 1)).toISOString(),
  orders: index + 1,
  total: (index + 1) / 10,
  paid: 0,
  refunded: index === 59 ? 0.1 : 0,
}));

test("sums up today, 7 and 30 days, and the days before each", () => {
  const [sales, ...others] = salesOf({ currencies: [{ currency: "EUR", buckets: BUCKETS }] });
  expect(others).toEqual([]);
  expect(sales?.periods).toEqual([
    { days: 1, now: { orders: 60, revenue: 5.9 }, before: { orders: 59, revenue: 5.9 } },
    { days: 7, now: { orders: 399, revenue: 39.8 }, before: { orders: 350, revenue: 35 } },
    { days: 30, now: { orders: 1365, revenue: 136.4 }, before: { orders: 465, revenue: 46.5 } },
  ]);
  expect(sales?.days).toHaveLength(30);
  expect(sales?.days[0]).toEqual({
    at: "2026-10-01T00:00:00.000Z",
    now: { orders: 31, revenue: 3.1 },
    before: { orders: 1, revenue: 0.1 },
  });
});

test("the currency with the most orders comes first", () => {
  const few = BUCKETS.map((bucket) => ({ ...bucket, orders: 1 }));
  const currencies = [
    { currency: "USD", buckets: few },
    { currency: "EUR", buckets: BUCKETS },
  ];
  expect(salesOf({ currencies }).map(({ currency }) => currency)).toEqual(["EUR", "USD"]);
});

test("asks for 60 whole days, of which today is the last", () => {
  const { from, to } = salesQuery(new Date(2026, 10, 25, 22, 30));
  expect([new Date(from), new Date(to)]).toEqual([new Date(2026, 8, 27), new Date(2026, 10, 26)]);
});

test("a change is in per cent, if there was something before", () => {
  expect([changeText(125, 100), changeText(92, 100), changeText(5, 5), changeText(5, 0)]).toEqual([
    "+25 %",
    "−8 %",
    "+0 %",
    undefined,
  ]);
});
