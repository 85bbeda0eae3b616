import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { decimalOf, numberOf, unitsOf } from "./money.ts";

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
});
