import { expect, test } from "@jest/globals";
import { perUnit } from "../src/cpu.ts";
import { checkStatuses } from "../src/load/statuses.ts";
import { median, percentiles, spread } from "../src/statistics.ts";

test("a median of an even number of values lies between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([5, 1, 3])).toBe(3);
  expect(spread([0.5, 0.2, 0.4])).toEqual({ median: 0.4, lowest: 0.2, highest: 0.5 });
});

test("a percentile is a value that was measured, and no smaller than its share of all", () => {
  const values = Array.from({ length: 1_000 }, (_, index) => 1_000 - index);
  expect(percentiles(values)).toEqual({ p50: 500, p99: 990, p999: 999 });
  expect(percentiles([7])).toEqual({ p50: 7, p99: 7, p999: 7 });
});

test("processor time is told for each unit, a program that began meanwhile included", () => {
  expect(perUnit({ orders: 100 }, { orders: 350, gateway: 50 }, 1_000)).toEqual({
    orders: 0.25,
    gateway: 0.05,
  });
});

test("a run in which more than one answer in a hundred is wrong is no measurement", () => {
  expect(
    checkStatuses(
      new Map([
        [201, 995],
        [503, 5],
      ]),
      201,
    ),
  ).toBe(995);
  const refused = new Map([
    [201, 900],
    [429, 90],
    [0, 10],
  ]);
  expect(() => checkStatuses(refused, 201)).toThrow(
    "expected answers of 201, got 900 × 201, 90 × 429, 10 × no answer",
  );
  expect(() => checkStatuses(new Map(), 201)).toThrow("got none");
});
