import { data as currencies } from "currency-codes";
import { z } from "zod";

/** Currencies that ISO 4217 has and the package does not have yet: the Caribbean guilder, since March 2025. */
const NEWER = [{ code: "XCG", digits: 2, countries: ["Curaçao", "Sint Maarten (Dutch Part)"] }];
const byCode = new Map([...NEWER, ...currencies].map((currency) => [currency.code, currency]));

/** Returns the minor digits of a currency by ISO 4217 (USD 2, JPY 0, KWD 3); null without such a code. */
export function minorDigitsOf(code: string): number | null {
  return byCode.get(code)?.digits ?? null;
}

/** An ISO 4217 code, but not one for a metal such as XAU (gold), for tests (XTS) or for no currency (XXX). */
export const currency = z
  .string("must be a string")
  // The list names placeholders such as `Zz08_gold` instead of countries.
  .refine(
    (code) => byCode.get(code)?.countries.some((name) => !name.startsWith("Zz")) ?? false,
    "must be an ISO 4217 currency code in use",
  );

/** The name of an IANA time zone, in any case. An offset is not a name. */
export const timeZone = z
  .string()
  .max(64, "must be at most 64 characters")
  .refine(isTimeZone, "must be the name of a time zone, like Europe/Lisbon");

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
