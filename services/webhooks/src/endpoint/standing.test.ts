import fc from "fast-check";
import type { Outcome } from "../delivery-status.ts";
import { NEW_STANDING, standingAfter } from "./standing.ts";

const attempts = (count: number, outcome: Outcome, durationMs: number) =>
  Array.from({ length: count }, () => ({ outcome, durationMs }));
const anyAttempt = fc.record({
  outcome: fc.constantFrom<Outcome>("delivered", "http_status", "timeout", "connection_refused"),
  durationMs: fc.integer({ min: 0, max: 60_000 }),
});
const anyStanding = fc.record({ windowSize: fc.integer({ min: 1, max: 100 }), isProven: fc.boolean() });

describe("the standing of an endpoint", () => {
  test.each([
    ["100 if it responds in 5 ms", 5, 100],
    ["16 if it responds in 1 s", 1_000, 16],
    ["4 if it responds in 5 s", 5_000, 4],
    ["2 if it responds in 9.9 s", 9_900, 2],
  ])("has a window that becomes %s", (_title, durationMs, expected) => {
    expect(standingAfter(NEW_STANDING, attempts(200, "delivered", durationMs)).windowSize).toBe(expected);
  });

  test.each([
    ["halves its window with a failure", attempts(1, "timeout", 10_000), 64],
    ["shrinks it down to 1", attempts(7, "timeout", 10_000), 1],
    ["shrinks it no further", attempts(9, "timeout", 10_000), 1],
    ["shrinks it if successes become much slower", attempts(200, "delivered", 9_900), 8],
  ])("%s", (_title, made, windowSize) => {
    const proven = { windowSize: 100, isProven: true };
    expect(standingAfter(proven, made)).toEqual({ windowSize, isProven: false });
  });

  test("is proven after a success in time, not after a slow one or a failure", () => {
    fc.assert(
      fc.property(anyStanding, fc.array(anyAttempt, { minLength: 1 }), (before, made) => {
        const latest = made.at(-1);
        const isInTime = latest?.outcome === "delivered" && latest.durationMs <= 1_000;
        expect(standingAfter(before, made).isProven).toBe(isInTime);
      }),
    );
  });

  test("has a window between 1 and 100, from any stored one", () => {
    fc.assert(
      fc.property(anyStanding, fc.array(anyAttempt), (before, made) => {
        const { windowSize } = standingAfter(before, made);
        expect(windowSize).toBeGreaterThanOrEqual(1);
        expect(windowSize).toBeLessThanOrEqual(100);
      }),
    );
  });

  test("does not change any more while durations vary up to fourfold", () => {
    const durations = fc
      .integer({ min: 1, max: 250 })
      .chain((shortest) => fc.array(fc.integer({ min: shortest, max: shortest * 4 }), { minLength: 1 }));
    fc.assert(
      fc.property(durations, (varied) => {
        const shortest = Math.min(...varied);
        const settled = standingAfter(NEW_STANDING, attempts(20, "delivered", shortest));
        for (const durationMs of varied)
          expect(standingAfter(settled, attempts(1, "delivered", durationMs))).toEqual(settled);
      }),
    );
  });
});

test("a new endpoint has a window of 2, and is not proven before its first success", () => {
  expect(NEW_STANDING).toEqual({ windowSize: 2, isProven: false });
});

test("a window goes through its sizes, and shrinks only below a quarter", () => {
  const sizes: number[] = [];
  let standing = { windowSize: 1, isProven: true };
  for (const attempt of attempts(7, "delivered", 5)) {
    standing = standingAfter(standing, [attempt]);
    sizes.push(standing.windowSize);
  }
  expect(sizes).toEqual([2, 4, 8, 16, 32, 64, 100]);
  // 20 s of attempts are 4 of 5 s, which is a quarter of 16.
  const shrunk = [5_000, 5_001].map((ms) =>
    standingAfter({ windowSize: 16, isProven: true }, attempts(1, "delivered", ms)),
  );
  expect(shrunk.map(({ windowSize }) => windowSize)).toEqual([16, 8]);
  expect(standingAfter(NEW_STANDING, attempts(1, "delivered", 1_000)).isProven).toBe(true);
});
