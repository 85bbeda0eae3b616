import { expect, test } from "@jest/globals";
import { countries, countryName, currencies } from "./codes.ts";

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
