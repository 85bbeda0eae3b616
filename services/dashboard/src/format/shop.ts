// The settings of the shop, which all numbers, dates, forms and papers follow. Words stay English. The shell sets them before it shows
// a screen: as a parameter they would go through every function that writes a number.
import type { DataOf } from "@tradepost/client/operations";

export type Shop = DataOf<"getShop">;

let current: Shop = {
  name: "",
  currency: "USD",
  timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: "en",
  address: null,
};

export function shop(): Shop {
  return current;
}

/** A locale or a time zone that the browser does not know is left out. */
export function followShop(next: Shop): void {
  const { locale, timeZone } = current;
  current = {
    ...next,
    locale: isKnown(() => new Intl.NumberFormat(next.locale)) ? next.locale : locale,
    timeZone: isKnown(() => new Intl.DateTimeFormat("en", { timeZone: next.timeZone }))
      ? next.timeZone
      : timeZone,
  };
}

function isKnown(format: () => unknown): boolean {
  try {
    format();
    return true;
  } catch {
    return false;
  }
}

/** `1,234.5`, with exactly `digits` decimals if they are given. */
export function number(value: number, digits?: number): string {
  const exact = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(current.locale, exact).format(value);
}

/** `1.2K`, for the axis of a chart. */
export function roundNumber(value: number): string {
  return new Intl.NumberFormat(current.locale, { notation: "compact" }).format(value);
}

/** `.` or `,`. */
export function decimalSign(): string {
  const parts = new Intl.NumberFormat(current.locale, { numberingSystem: "latn" }).formatToParts(0.5);
  return parts.find(({ type }) => type === "decimal")?.value ?? ".";
}

/** English without a country writes dates as in Europe. */
export function datesOf(locale: string): string {
  return locale === "en" ? "en-GB" : locale;
}

/** Formats a time in the shop's zone, unless the options have another one. */
export function dateText(iso: string | number, options: Intl.DateTimeFormatOptions): string {
  const { locale, timeZone } = current;
  return new Intl.DateTimeFormat(datesOf(locale), { timeZone, ...options }).format(new Date(iso));
}
