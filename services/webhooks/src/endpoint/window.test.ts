import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Outcome } from "../delivery/delivery.ts";
import { windowAfter } from "./window.ts";

const attempts = (count: number, outcome: Outcome, durationMs: number) =>
  Array.from({ length: count }, () => ({ outcome, durationMs }));

describe("the window of an endpoint", () => {
  test.each([
    ["100 if it responds in 5 ms", 5, 100],
    ["20 if it responds in 1 s", 1_000, 20],
    ["4 if it responds in 5 s", 5_000, 4],
    ["2 if it responds in 9.9 s", 9_900, 2],
  ])("becomes %s", (_title, durationMs, expected) => {
    expect(windowAfter(10, attempts(200, "delivered", durationMs))).toBe(expected);
    expect(windowAfter(100, attempts(200, "delivered", durationMs))).toBe(expected);
  });

  test("grows by one with a success", () => {
    expect(windowAfter(10, attempts(1, "delivered", 5))).toBe(11);
  });

  test("shrinks to 1 with failures in a row, and grows again with the first success", () => {
    expect(windowAfter(100, attempts(7, "timeout", 10_000))).toBe(1);
    expect(windowAfter(1, [...attempts(3, "http_status", 1), ...attempts(2, "delivered", 10)])).toBe(3);
  });

  test("is always between 1 and 100", () => {
    const outcome = fc.constantFrom<Outcome>("delivered", "http_status", "timeout", "connection_refused");
    const attempt = fc.record({ outcome, durationMs: fc.integer({ min: 0, max: 60_000 }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.array(attempt), (before, made) => {
        const after = windowAfter(before, made);
        expect(after).toBeGreaterThanOrEqual(1);
        expect(after).toBeLessThanOrEqual(100);
      }),
    );
  });
});
