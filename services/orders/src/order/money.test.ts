import fc from "fast-check";
import {
  decimalOf,
  hasDecimalsAtMost,
  isWithinBounds,
  numberOf,
  roundHalfUp,
  sum,
  unitsOf,
} from "./money.ts";

const UNITS_MAX = 10n ** 15n;
const units = fc.oneof(fc.bigInt({ min: 0n, max: UNITS_MAX }), fc.bigInt({ min: 0n, max: 100_000n }));

describe("an amount in ten-thousandths", () => {
  test.each([
    [0n, "0.0000", 0],
    [1n, "0.0001", 0.0001],
    [9_999n, "0.9999", 0.9999],
    [10_000n, "1.0000", 1],
    [199_900n, "19.9900", 19.99],
    [999_999_999_999_999n, "99999999999.9999", 99_999_999_999.9999],
    [UNITS_MAX, "100000000000.0000", 100_000_000_000],
  ])("%d is %s for Postgres and %d for JSON", (units, decimal, number) => {
    expect([decimalOf(units), numberOf(units)]).toEqual([decimal, number]);
  });

  test("is the same number, digit for digit, as a decimal, in JSON and read back", () => {
    fc.assert(
      fc.property(units, (units) => {
        const whole = String(units / 10_000n);
        const decimal = `${whole}.${String(units % 10_000n).padStart(4, "0")}`;
        expect(decimalOf(units)).toBe(decimal);
        expect(JSON.stringify(numberOf(units))).toBe(decimal.replace(/\.?0+$/, ""));
        expect(unitsOf(numberOf(units))).toBe(units);
      }),
      { numRuns: 10_000 },
    );
  });

  test("is within the bounds from 0 to the largest amount", () => {
    const bounds = [-1n, 0n, 1n, UNITS_MAX - 1n, UNITS_MAX].map(isWithinBounds);
    expect(bounds).toEqual([false, true, true, true, false]);
  });

  test("is summed exactly", () => {
    expect([sum([]), sum([1n]), sum([UNITS_MAX, 3n, 5n])]).toEqual([0n, 1n, UNITS_MAX + 8n]);
  });

  test.each([
    [0n, 2, 0n],
    [149n, 2, 100n],
    [150n, 2, 200n],
    [151n, 2, 200n],
    [4_999n, 0, 0n],
    [5_000n, 0, 10_000n],
    [15n, 3, 20n],
    [7n, 4, 7n],
  ])("%d is rounded half up to %d decimals as %d", (units, digits, rounded) => {
    expect(roundHalfUp(units, digits)).toBe(rounded);
  });
});

test.each([
  [1, 0, true],
  [1.5, 0, false],
  [1.5, 1, true],
  [1.25, 1, false],
  [-1.25, 2, true],
  [1e21, 4, false],
  [1e-7, 4, false],
])("%d has at most %d decimals: %s", (amount, digits, isAtMost) => {
  expect(hasDecimalsAtMost(amount, digits)).toBe(isAtMost);
});
