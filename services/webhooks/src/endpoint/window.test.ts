// What attempts do to an endpoint's window.
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Outcome } from "../delivery/delivery.ts";
import { windowAfter } from "./window.ts";

const attempts = (count: number, outcome: Outcome, durationMs: number) =>
  Array.from({ length: count }, () => ({ outcome, durationMs }));

describe("the window of an endpoint", () => {
  test.each([
    ["a fast one has the largest there is", 5, 100],
    ["one that takes a second has a fifth of it", 1_000, 20],
    ["one that takes five has four", 5_000, 4],
    ["one that takes almost the whole timeout has two", 9_900, 2],
  ])("%s", (_what, durationMs, expected) => {
    expect(windowAfter(10, attempts(200, "delivered", durationMs))).toBe(expected);
    expect(windowAfter(100, attempts(200, "delivered", durationMs))).toBe(expected);
  });

  test("one success more lets in two: one for it, and one more", () => {
    expect(windowAfter(10, attempts(1, "delivered", 5))).toBe(11);
  });

  test("failures in a row leave one, and one success after them begins to open it again", () => {
    expect(windowAfter(100, attempts(7, "timeout", 10_000))).toBe(1);
    expect(windowAfter(1, [...attempts(3, "http_status", 1), ...attempts(2, "delivered", 10)])).toBe(3);
  });

  test("is never less than one nor more than a hundred", () => {
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
