// The values in the cells of a CSV file, in the spellings of different countries, and the faults of the rows of one order: values
// that cannot be read, and values that differ although an order has only one. Pure.
import type { ErrorDetail } from "@tradepost/client/operations";
import type { TargetName } from "./import-columns.ts";

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

/** The cells that are not empty, by their targets. */
export type Said = ReadonlyMap<TargetName, readonly Cell[]>;

export interface Cell {
  readonly text: string;
  readonly line: number;
  readonly column: string;
}

const IDS = ["externalId", "orderNumber", "customerId", "customerExternalId", "sku"] as const;
const AMOUNTS = ["unitPrice", "taxAmount", "shippingTotal", "discountTotal", "taxTotal"] as const;
const IN_ANY_CASE = ["customerEmail", "customerName", "currency"] as const;
const OF_LINE = ["sku", "name", "quantity", "unitPrice", "taxAmount"] as const;

export function faultsOf(said: Said, decimalsMax: number): ErrorDetail[] {
  return [...said].flatMap(([path, cells]) => {
    const message =
      shortened(path, cells) ??
      unreadable(path, cells, decimalsMax) ??
      contradiction(path, cells, decimalsMax);
    return message === undefined ? [] : [{ path, message }];
  });
}

function shortened(target: TargetName, cells: readonly Cell[]): string | undefined {
  const found = isOneOf(IDS, target) ? cells.filter(({ text }) => isShortened(text)) : [];
  if (found.length === 0) return undefined;
  return `${listed(found)}, which a spreadsheet has shortened: format the column as text and export it again`;
}

function unreadable(target: TargetName, cells: readonly Cell[], decimalsMax: number): string | undefined {
  if (target !== "quantity" && !isOneOf(AMOUNTS, target)) return undefined;
  for (const cell of cells) {
    const number = numberOf(cell.text, target === "quantity" ? {} : { decimalsMax });
    if (typeof number !== "number") return `${listed([cell])}, ${number.fault}`;
  }
  return undefined;
}

export function contradiction(
  target: TargetName,
  cells: readonly Cell[],
  decimalsMax?: number,
): string | undefined {
  if (isOneOf(OF_LINE, target)) return undefined;
  const differing = new Map<string, Cell>();
  for (const cell of cells) {
    const plain = plainOf(target, cell.text, decimalsMax);
    if (!differing.has(plain)) differing.set(plain, cell);
  }
  return differing.size > 1 ? listed([...differing.values()]) : undefined;
}

/** Two cells agree if this is equal. */
export function plainOf(target: TargetName, text: string, decimalsMax = 2): string {
  if (isOneOf(AMOUNTS, target)) return String(numberOf(text, { decimalsMax }));
  const plain = text.normalize("NFC").replaceAll(/\s+/g, " ");
  return isOneOf(IN_ANY_CASE, target) ? plain.toLowerCase() : plain;
}

function isOneOf(targets: readonly TargetName[], target: TargetName): boolean {
  return targets.includes(target);
}

const LISTED_MAX = 3;
const CHARACTERS_MAX = 60;

/** `column “currency” has “EUR” in line 2 and “JPY” in line 3`. */
function listed(cells: readonly Cell[]): string {
  const texts = cells
    .slice(0, LISTED_MAX)
    .map(
      ({ text, line }) =>
        `“${text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text}” in line ${line}`,
    );
  const more = cells.length - texts.length;
  const all = more > 0 ? [...texts, `${more} more`] : texts;
  return `column “${cells[0]?.column}” has ${[all.slice(0, -1).join(", "), all.at(-1)].filter(Boolean).join(" and ")}`;
}
