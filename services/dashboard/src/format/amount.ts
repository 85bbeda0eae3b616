// Amounts as people type them: with a point or a comma, and no more decimals than the currency has. Pure.
import { fractionDigits } from "./money.ts";

/** The `pattern` of an input for an amount. */
export function amountPattern(currency: string): string {
  const digits = fractionDigits(currency);
  return digits === 0 ? "\\d{1,11}" : `\\d{1,11}([.,]\\d{1,${digits}})?`;
}

/** `An amount like 19.99`. */
export function amountExample(currency: string): string {
  const digits = fractionDigits(currency);
  return digits === 0 ? "A whole amount like 1999" : `An amount like ${(19.99).toFixed(digits)}`;
}

/** True for an amount, and for one that is not typed to its end: `19.`. */
export function mayBeAmount(text: string, currency: string): boolean {
  const typed = text.trim();
  if (typed === "") return true;
  const whole = fractionDigits(currency) > 0 ? typed.replace(/^(\d+)[.,]$/, "$1") : typed;
  return new RegExp(`^(?:${amountPattern(currency)})$`).test(whole);
}

/** Writes an amount as the platform reads it: `19,99` becomes `19.99`. */
export function withPoint(text: string): string {
  return text.trim().replace(",", ".");
}
