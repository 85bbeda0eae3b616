import { describe, expect, test } from "@jest/globals";
import { backoff } from "./backoff.ts";

const LIMITS = { minMs: 100, maxMs: 1_500 };

describe("backoff", () => {
  test("starts at the minimum, doubles and stops at the maximum", () => {
    const waits = [0, 1, 2, 3, 4, 5].map((retryCount) => backoff(retryCount, LIMITS));
    expect(waits).toEqual([100, 200, 400, 800, 1_500, 1_500]);
  });

  test("stays at the maximum after any number of retries", () => {
    expect(backoff(100_000, LIMITS)).toBe(1_500);
  });

  test("with full jitter is anything from 0 to the backoff without jitter", () => {
    const waits = [0, 0.5, 0.999].map((random) => backoff(2, { ...LIMITS, jitter: "full" }, () => random));
    expect(waits).toEqual([0, 200, 399.6]);
  });
});
