// Exact amounts, as BigInt in ten-thousandths of the currency unit. Pure.
//
// JSON numbers are parsed to doubles. Within the limits below an amount has at most 15 significant digits, which a double holds
// exactly; the input schemas refuse more.

export { minorDigitsOf } from "@tradepost/http";

export const DECIMALS_MAX = 4;
export const AMOUNT_MAX = 99_999_999_999.9999;
export const AMOUNT_DUE_MAX = 100_000_000_000;

const UNITS_PER_ONE = 10_000;
const UNITS_MAX = 999_999_999_999_999n;

export function hasDecimalsAtMost(amount: number, digits: number): boolean {
  const [whole = "", fraction = ""] = String(amount).split(".");
  return /^-?\d+$/.test(whole) && fraction.length <= digits;
}

export function unitsOf(amount: number): bigint {
  const [whole = "0", fraction = ""] = String(amount).split(".");
  return BigInt(whole + fraction.padEnd(DECIMALS_MAX, "0"));
}

/** Writes an amount for Postgres: 199900n is `19.9900`. */
export function decimalOf(units: bigint): string {
  const digits = String(units).padStart(DECIMALS_MAX + 1, "0");
  return `${digits.slice(0, -DECIMALS_MAX)}.${digits.slice(-DECIMALS_MAX)}`;
}

/** Returns a JSON number: 199900n is 19.99. Within the limits, the division gives the double nearest to the amount. */
export function numberOf(units: bigint): number {
  return Number(units) / UNITS_PER_ONE;
}

export function roundHalfUp(units: bigint, digits: number, divisor = 1n): bigint {
  const minorUnit = 10n ** BigInt(DECIMALS_MAX - digits);
  return ((2n * units + minorUnit * divisor) / (2n * minorUnit * divisor)) * minorUnit;
}

interface Share {
  readonly quantity: number;
  readonly line: { readonly quantity: number; readonly unitPrice: number; readonly taxAmount: number };
}

/** The shares with their tax, summed exactly and rounded half up once. */
export function costOfShares(shares: readonly Share[], digits: number): bigint {
  let [sum, divisor] = [0n, 1n];
  for (const { quantity, line } of shares) {
    const ofLine = BigInt(line.quantity);
    const cost = BigInt(quantity) * (ofLine * unitsOf(line.unitPrice) + unitsOf(line.taxAmount));
    [sum, divisor] = [sum * ofLine + cost * divisor, divisor * ofLine];
  }
  return roundHalfUp(sum, digits, divisor);
}

export function isWithinBounds(units: bigint): boolean {
  return units >= 0n && units <= UNITS_MAX;
}

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
