import { amountExample, amountPattern, amountText, mayBeAmount, money, withPoint } from "./money.ts";
import { followShop, shop } from "./shop.ts";
import { absoluteTime } from "./time.ts";
import { counted, size } from "./words.ts";

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

describe("in a German shop", () => {
  const before = shop();
  beforeAll(() => followShop({ ...before, locale: "de-DE", timeZone: "Europe/Berlin" }));
  afterAll(() => followShop(before));

  test("numbers and dates are German, and words are English", () => {
    expect([money(1234.5, "EUR"), size(1_200), counted(2_000, "order")]).toEqual([
      "1.234,50 EUR",
      "1,2 kB",
      "2.000 orders",
    ]);
    expect(absoluteTime("2026-11-28T15:04:05Z")).toBe("28.11.2026, 16:04");
  });

  test("fields have a comma", () => {
    expect([amountText(1234.5, "EUR"), amountText(7, "JPY"), amountExample("EUR")]).toEqual([
      "1234,50",
      "7",
      "An amount like 19,99",
    ]);
  });

  test("a locale and a zone that the browser does not know change nothing", () => {
    followShop({ ...shop(), locale: "not a locale", timeZone: "Mars/Olympus" });
    expect(shop()).toMatchObject({ locale: "de-DE", timeZone: "Europe/Berlin" });
  });
});

test("the example has the digits of the currency", () => {
  expect(["EUR", "JPY", "KWD"].map(amountExample)).toEqual([
    "An amount like 19.99",
    "A whole amount like 1999",
    "An amount like 19.990",
  ]);
});
