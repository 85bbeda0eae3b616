import { expect, test } from "@jest/globals";
import { median, percentiles, spread } from "../src/statistics.ts";

test("the median of an even number of values is the mean of the middle two", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([5, 1, 3])).toBe(3);
  expect(spread([0.5, 0.2, 0.4])).toEqual({ median: 0.4, lowest: 0.2, highest: 0.5 });
});

test("a percentile is one of the measured values", () => {
  const values = Array.from({ length: 1_000 }, (_, index) => 1_000 - index);
  expect(percentiles(values)).toEqual({ p50: 500, p99: 990, p999: 999 });
  expect(percentiles([7])).toEqual({ p50: 7, p99: 7, p999: 7 });
});
