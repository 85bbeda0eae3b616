// Amounts as people read them. Pure.

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
  return new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "code",
    ...(maximumFractionDigits !== undefined && { maximumFractionDigits }),
  });
}
