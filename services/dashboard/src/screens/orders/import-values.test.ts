import { expect, test } from "@jest/globals";
import { isShortened, numberOf } from "./import-values.ts";

test.each([
  ["19.99", 19.99],
  ["19,99", 19.99],
  ["1,234.50", 1234.5],
  ["1.234,50", 1234.5],
  ["1 234,50", 1234.5],
  ["1\u202f234,50", 1234.5],
  ["1\u{a0}234.50", 1234.5],
  ["1'234.50", 1234.5],
  ["1’234,5", 1234.5],
  ["1'234", 1234],
  ["1,234,567", 1234567],
  ["12.345.678,9", 12345678.9],
  ["-3", -3],
  ["−3", -3],
  ["0.125", 0.125],
  ["1.2345", 1.2345],
  ["1234.567", 1234.567],
  ["0", 0],
])("reads %s as %s", (text, number) => {
  expect(numberOf(text)).toBe(number);
});

test.each([
  "1.5,2",
  "1,5.2",
  "1 5",
  "12 34,5",
  "1,234.567,8",
  "1.234.56",
  "1,23,456",
  "1 234.567.890",
  "0.234,5",
  "1.234.567.",
  "1,,5",
  ".5",
  "5.",
  "EUR 5",
  "5 %",
  "1e3",
  "many",
])("%s is not a number", (text) => {
  expect(numberOf(text)).toEqual({ fault: "which is not a number" });
});

test("three digits after the only separator may be thousands or decimals, unless the currency has three", () => {
  expect(numberOf("1,234")).toEqual({ fault: "which may be 1234 or 1.234" });
  expect(numberOf("-1.234")).toEqual({ fault: "which may be -1234 or -1.234" });
  expect(numberOf("1.234", { decimalsMax: 3 })).toBe(1.234);
});

test("an id that a spreadsheet has shortened has a sign in its exponent", () => {
  expect(["1.23457E+15", "4,00638E+12", "1E+15", "1.2e+021"].filter(isShortened)).toHaveLength(4);
  expect(["1E15", "4E-10", "12.3E+15", "A1E+15", "1.23457", ""].filter(isShortened)).toEqual([]);
});
