import { fieldOf } from "../../format/time.ts";
import { choiceOf, dateOf, faultsOf, isDayFirst, isShortened, numberOf } from "./import-values.ts";

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

test.each([
  ["2026-09-05T10:30:00Z", "2026-09-05T10:30:00.000Z"],
  ["2026-09-05T10:30:00+02:00", "2026-09-05T08:30:00.000Z"],
])("reads the time %s", (text, instant) => {
  expect(dateOf(text, true)).toBe(instant);
});

test.each([
  ["5.9.2026", true, "2026-09-05T00:00"],
  ["05.09.2026 14:05", false, "2026-09-05T14:05"],
  ["2026-09-05 14:05:59", true, "2026-09-05T14:05"],
  ["2026/09/05", false, "2026-09-05T00:00"],
  ["5/9/2026", true, "2026-09-05T00:00"],
  ["9/5/2026", false, "2026-09-05T00:00"],
  ["9/5/2026 2:05 PM", false, "2026-09-05T14:05"],
  ["9/5/2026, 12:05 am", false, "2026-09-05T00:05"],
])("reads %s (day first: %s) as %s in the zone of the shop", (text, dayFirst, field) => {
  const instant = dateOf(text, dayFirst);
  expect(typeof instant === "string" && fieldOf(instant)).toBe(field);
});

test.each(["31.2.2026", "13/13/2026", "1.1.26", "yesterday", "2026-09-05T25:00:00Z", "2026", "32.1.2026"])(
  "%s is not a date",
  (text) => {
    expect(dateOf(text, true)).toEqual({ fault: "which is not a date" });
  },
);

test("a column says by its other dates whether the day is first", () => {
  expect([isDayFirst(["1/2/2026", "13/2/2026"]), isDayFirst(["1/2/2026", "2/13/2026"])]).toEqual([
    true,
    false,
  ]);
});

test("payments and statuses are known in five languages, and others are faults", () => {
  expect(["paid", "Bezahlt", "payé", "Pagado", "PAGATO"].map((text) => choiceOf("payment", text))).toEqual(
    Array(5).fill("paid"),
  );
  expect(
    ["Shipped", "versendet", "expédiée", "enviado", "spedito"].map((text) => choiceOf("status", text)),
  ).toEqual(Array(5).fill("fulfilled"));
  const said = new Map([["payment" as const, [{ text: "partially_refunded", line: 2, column: "Payment" }]]]);
  expect(faultsOf(said, { decimalsMax: 2, isDayFirst: true })).toEqual([
    {
      path: "payment",
      message:
        "column “Payment” has “partially_refunded” in line 2, which is not one of paid, unpaid, refunded",
    },
  ]);
});
