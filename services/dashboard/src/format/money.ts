// Amounts as people read and type them, with the decimal sign of the shop's locale.
import { decimalSign, shop } from "./shop.ts";

/** `EUR 1,234.50`: the currency's code, and its minor digits or more if the amount has more (a unit price may have four). */
export function money(amount: number, currency: string): string {
  const digits = fractionDigits(currency);
  return formatOf(currency, Math.max(digits, UNIT_PRICE_DIGITS)).format(amount).replace(/\s/g, " ");
}

/** The currency's minor digits: 2 for EUR, 0 for JPY. */
export function fractionDigits(currency: string): number {
  return formatOf(currency).resolvedOptions().minimumFractionDigits ?? 2;
}

const UNIT_PRICE_DIGITS = 4;

function formatOf(currency: string, maximumFractionDigits?: number): Intl.NumberFormat {
  return new Intl.NumberFormat(shop().locale, {
    style: "currency",
    currency,
    currencyDisplay: "code",
    ...(maximumFractionDigits !== undefined && { maximumFractionDigits }),
  });
}

export function amountPattern(currency: string): string {
  const digits = fractionDigits(currency);
  return digits === 0 ? "\\d{1,11}" : `\\d{1,11}([.,]\\d{1,${digits}})?`;
}

/** `An amount like 19.99`. */
export function amountExample(currency: string): string {
  const digits = fractionDigits(currency);
  return digits === 0 ? "A whole amount like 1999" : `An amount like ${amountText(19.99, currency)}`;
}

export function amountText(amount: number, currency: string): string {
  return amount.toFixed(fractionDigits(currency)).replace(".", decimalSign());
}

/** True for an amount, and for the beginning of one: `19.`. */
export function mayBeAmount(text: string, currency: string): boolean {
  const typed = text.trim();
  if (typed === "") return true;
  const whole = fractionDigits(currency) > 0 ? typed.replace(/^(\d+)[.,]$/, "$1") : typed;
  return new RegExp(`^(?:${amountPattern(currency)})$`).test(whole);
}

// Amounts have at most four decimals, and the sum of floating-point numbers may have more.
const UNITS_PER_ONE = 10_000;

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((units, amount) => units + Math.round(amount * UNITS_PER_ONE), 0) / UNITS_PER_ONE;
}

/** Writes an amount as the platform reads it: `19,99` becomes `19.99`. */
export function withPoint(text: string): string {
  return text.trim().replace(",", ".");
}
