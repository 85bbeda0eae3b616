import { countries, countryName, currencies, locales, timeZones } from "./codes.ts";

test("has the countries of today by their names, and no groups of countries", () => {
  expect(countryName("PT")).toBe("Portugal");
  expect(["SU", "DD", "EU", "ZZ", "XK1", "pt"].map(countryName)).toEqual(Array(6).fill(undefined));
  expect(countries()[0]?.name).toBe("Afghanistan");
  expect(countries().length).toBeGreaterThan(240);
  expect(countries().length).toBeLessThan(255);
});

test("has the currencies by their codes", () => {
  expect(currencies()).toContainEqual({ code: "EUR", name: "Euro" });
});

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
