import { expect, test } from "@jest/globals";
import { currency, minorDigitsOf, timeZone } from "./regional-fields.ts";

test.each([
  ["USD", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
  ["XCG", 2],
  ["XXX", 0],
  ["ABC", null],
  ["usd", null],
  ["USDX", null],
])("the minor digits of %s are %s", (code, digits) => {
  expect(minorDigitsOf(code)).toBe(digits);
});

test.each([
  ["USD", true],
  ["XOF", true],
  ["XCG", true],
  ["XXX", false],
  ["XTS", false],
  ["XAU", false],
  ["ABC", false],
  ["usd", false],
])("whether %s is a currency: %j", (code, is) => {
  expect(currency.safeParse(code).success).toBe(is);
});

test.each([
  ["Europe/Lisbon", true],
  ["europe/lisbon", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["+02:00", false],
  ["", false],
])("%s is a time zone: %s", (name, is) => expect(timeZone.safeParse(name).success).toBe(is));
