// The values in the cells of a CSV file, in the spellings of different countries. Pure.

// A space may also be a no-break, a thin or a narrow one. All separators of thousands are the same, and none is the decimal one.
const GROUPED = /^-?[1-9]\d{0,2}([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;
const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * `1.234,50` and `1,234.50` are 1234.5. A fault says why a text is no number. So does `1,234`, unless the value may have three
 * decimals: it may mean a thousand or a little more than one.
 */
export function numberOf(
  text: string,
  { decimalsMax = 2 }: { readonly decimalsMax?: number } = {},
): number | { readonly fault: string } {
  const plain = text.replace(/^\u2212/, "-");
  if (decimalsMax !== 3 && AMBIGUOUS.test(plain))
    return { fault: `which may be ${plain.replace(/[.,]/, "")} or ${plain.replace(",", ".")}` };
  if (PLAIN.test(plain)) return Number(plain.replace(",", "."));
  const [, separator] = GROUPED.exec(plain) ?? [];
  if (separator === undefined) return { fault: "which is not a number" };
  return Number(plain.replaceAll(separator, "").replace(",", "."));
}

/** Recognises `1.23457E+15`: a spreadsheet has shortened a long number, so several ids may look the same. */
export function isShortened(id: string): boolean {
  return /^\d([.,]\d+)?E\+\d+$/i.test(id);
}
