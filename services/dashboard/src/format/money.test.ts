import { expect, test } from "@jest/globals";
import { money } from "./money.ts";

test.each([
  [1234.5, "EUR", "EUR 1,234.50"],
  [1234, "JPY", "JPY 1,234"],
  [0.1 + 0.2, "USD", "USD 0.30"],
  [0.0125, "USD", "USD 0.0125"],
  [1.5, "KWD", "KWD 1.500"],
  [99_999_999_999.9999, "EUR", "EUR 99,999,999,999.9999"],
  [0, "EUR", "EUR 0.00"],
])("%d in %s is %s", (amount, currency, text) => {
  expect(money(amount, currency)).toBe(text);
});
