import { expect, test } from "@jest/globals";
import { amountExample, amountPattern, mayBeAmount, withPoint } from "./amount.ts";

const fits = (text: string, currency: string) => new RegExp(`^(?:${amountPattern(currency)})$`).test(text);

test.each([
  ["19.99", "EUR", true],
  ["19,99", "EUR", true],
  ["19", "EUR", true],
  ["1.239", "EUR", false],
  ["1.234,50", "EUR", false],
  ["19.", "EUR", false],
  ["-1", "EUR", false],
  ["1999", "JPY", true],
  ["19.9", "JPY", false],
  ["1,239", "KWD", true],
  ["123456789012", "EUR", false],
])("%s in %s: %s", (text, currency, isAmount) => {
  expect(fits(text, currency)).toBe(isAmount);
});

test("what is not typed to its end is no fault yet", () => {
  expect(["", "19.", "19,", "1.2"].every((text) => mayBeAmount(text, "EUR"))).toBe(true);
  expect(["1.239", ",", "x", "19.9."].some((text) => mayBeAmount(text, "EUR"))).toBe(false);
  expect(mayBeAmount("19.", "JPY")).toBe(false);
});

test("a comma becomes a point", () => {
  expect([withPoint(" 19,99 "), withPoint("7")]).toEqual(["19.99", "7"]);
});

test("the example has the digits of the currency", () => {
  expect(["EUR", "JPY", "KWD"].map(amountExample)).toEqual([
    "An amount like 19.99",
    "A whole amount like 1999",
    "An amount like 19.990",
  ]);
});
