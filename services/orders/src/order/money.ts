// Exact money: amounts as whole ten-thousandths in a BigInt, never as floating point. Pure.
//
// JSON numbers come in as doubles. An amount within the bounds below has at most 15 significant digits, and a double
// gives those back unchanged; whatever has more is refused before it gets here.
import { code as currencyRecord } from "currency-codes";

/** Decimals kept: those of `numeric(15,4)`. */
export const DECIMALS_MAX = 4;
/** The largest amount of contract §4, as it would be written. */
export const AMOUNT_MAX = 99_999_999_999.9999;
/** What the largest total comes to once it is rounded: the most that is ever paid, or given back. */
export const AMOUNT_DUE_MAX = 100_000_000_000;

const UNITS_PER_ONE = 10_000n;
const UNITS_MAX = 999_999_999_999_999n;

/** ISO 4217 minor digits (USD 2, JPY 0, KWD 3), or null for a code that is no currency in use. */
export function minorDigitsOf(currency: string): number | null {
  // The standard gives XXX, gold and their like no minor unit; nothing is sold in them.
  const record = /^[A-Z]{3}$/.test(currency) ? currencyRecord(currency) : undefined;
  return record === undefined || record.countries.length === 0 ? null : record.digits;
}

/** True for a number that can be written with at most `digits` decimals. */
export function hasDecimalsAtMost(amount: number, digits: number): boolean {
  const [whole = "", fraction = ""] = String(amount).split(".");
  return /^-?\d+$/.test(whole) && fraction.length <= digits;
}

/** In: an amount of at most 4 decimals. Out: ten-thousandths. */
export function unitsOf(amount: number): bigint {
  const [whole = "0", fraction = ""] = String(amount).split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS_MAX, "0"));
}

/** For Postgres: `19.9900`. */
export function decimalOf(units: bigint): string {
  return `${units / UNITS_PER_ONE}.${String(units % UNITS_PER_ONE).padStart(DECIMALS_MAX, "0")}`;
}

/** For JSON: the number that prints as the decimal. */
export function numberOf(units: bigint): number {
  return Number(decimalOf(units));
}

/** In: ten-thousandths, not negative. Out: the nearest that can be written with `digits` decimals, halves up. */
export function roundHalfUp(units: bigint, digits: number): bigint {
  const minorUnit = 10n ** BigInt(DECIMALS_MAX - digits);
  return ((units + minorUnit / 2n) / minorUnit) * minorUnit;
}

export function isWithinBounds(units: bigint): boolean {
  return units >= 0n && units <= UNITS_MAX;
}

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
