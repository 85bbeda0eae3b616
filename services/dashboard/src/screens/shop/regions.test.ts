import { expect, test } from "@jest/globals";
import { locales, timeZones } from "./regions.ts";

test("a locale is shown with its name, a number and a date", () => {
  const texts = new Map(locales("de-DE").map(({ value, text }) => [value, text]));
  expect(texts.get("de-DE")).toBe("German (Germany) · 12.345,50 · 28.11.2026");
});

test.each(["fa-IR-u-nu-latn", "en-x-private", "tlh", "sr-Cyrl-RS"])(
  "%s, which a program has set, is a choice",
  (locale) => {
    expect(locales(locale).map(({ value }) => value)).toContain(locale);
  },
);

test("a time zone is a choice once", () => {
  const values = timeZones("UTC").map(({ value }) => value);
  expect(values.filter((value) => value === "UTC")).toHaveLength(1);
});
