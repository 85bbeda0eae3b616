// The values in the cells of a CSV file, in the spellings of different countries, and the faults of the rows of one order: values
// that cannot be read, and values that differ although an order has only one. Pure.
import type { ErrorDetail } from "@tradepost/client/operations";
import { dateText } from "../../format/shop.ts";
import { fieldOf, instantOf } from "../../format/time.ts";
import { listed } from "../../format/words.ts";
import { plainName, type TargetName, tableOf } from "./import-columns.ts";

// A space may also be a no-break, thin or narrow space. All separators of thousands are the same, and differ from the decimal sign.
const GROUPED = /^-?[1-9]\d{0,2}([.,'’ \u00a0\u2009\u202f])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;
const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
const AMBIGUOUS = /^-?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * `1.234,50` and `1,234.50` are 1234.5. A text that is not a number has a fault. So has `1,234`, which may mean a thousand or a
 * little more than one, unless `decimalsMax` is 3.
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

const DATE =
  /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(am|pm)?)?$/i;

/** `28.11.2026 14:05` in the shop's zone, and any time of ISO 8601. If `isDayFirst`, `5/11/2026` is in November. */
export function dateOf(text: string, isDayFirst: boolean): string | { readonly fault: string } {
  const fault = { fault: "which is not a date" };
  if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text)) return instantOf(text) ?? fault;
  const [, first = "", second = "", third = "", hour = "0", minute = "00", seconds = "00", half = ""] =
    DATE.exec(text.trim()) ?? [];
  const isDay = isDayFirst || text.includes(".");
  const [year, month, day] =
    first.length === 4 ? [first, second, third] : isDay ? [third, second, first] : [third, first, second];
  const hours = half === "" ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const two = (part: string | number) => String(part).padStart(2, "0");
  const local = `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${seconds}`;
  const instant = year.length === 4 ? instantOf(local) : undefined;
  // A day that a month does not have would become one of the next month.
  return instant !== undefined && fieldOf(instant).startsWith(local.slice(0, DATE_CHARACTERS))
    ? instant
    : fault;
}

const DATE_CHARACTERS = 10;

/** Says whether `5/11/2026` is in November: by the other dates of the column, else as the shop writes dates. */
export function isDayFirst(texts: readonly string[]): boolean {
  const parts = texts.map((text) => /^(\d{1,2})[-/](\d{1,2})[-/]/.exec(text) ?? []);
  if (parts.some(([, first]) => Number(first) > 12)) return true;
  return (
    !parts.some(([, , second]) => Number(second) > 12) &&
    /^28/.test(dateText("2026-11-28T12:00:00Z", { timeZone: "UTC" }))
  );
}

const CHOICES = {
  payment: tableOf<"paid" | "unpaid" | "refunded">(`
    paid: paid yes true captured succeeded bezahlt ja paye payee oui reglee pagado pagada si pagato pagata
    unpaid: unpaid no false pending open failed voided authorized offen unbezahlt ausstehend nein impaye nonpaye enattente non pendiente nopagado insoluto nonpagato dapagare inattesa
    refunded: refunded erstattet rembourse remboursee reembolsado rimborsato
  `),
  status: tableOf<"placed" | "fulfilled" | "delivered" | "cancelled">(`
    placed: placed open new unfulfilled processing pending offen neu inbearbeitung nouveau encours enattente nuevo abierto pendiente nuovo aperto inlavorazione
    fulfilled: fulfilled shipped sent versendet versandt verschickt expedie expediee envoyee enviado spedito
    delivered: delivered completed complete done zugestellt geliefert abgeschlossen livre livree terminee entregado completado consegnato completato
    cancelled: cancelled canceled storniert annule annulee cancelado anulado annullato
  `),
} as const;

export function choiceOf<Target extends keyof typeof CHOICES>(
  target: Target,
  text: string,
): keyof (typeof CHOICES)[Target] | undefined {
  const choices = Object.entries(CHOICES[target]) as [keyof (typeof CHOICES)[Target], readonly string[]][];
  return choices.find(([, words]) => words.includes(plainName(text)))?.[0];
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

interface Reading {
  readonly decimalsMax: number;
  readonly isDayFirst: boolean;
}

export function faultsOf(said: Said, reading: Reading): ErrorDetail[] {
  return [...said].flatMap(([path, cells]) => {
    const message =
      shortened(path, cells) ??
      unreadable(path, cells, reading) ??
      contradiction(path, cells, reading.decimalsMax);
    return message === undefined ? [] : [{ path, message }];
  });
}

function shortened(target: TargetName, cells: readonly Cell[]): string | undefined {
  const found = isOneOf(IDS, target) ? cells.filter(({ text }) => isShortened(text)) : [];
  if (found.length === 0) return undefined;
  return `${cellsText(found)}, which a spreadsheet has shortened: format the column as text and export it again`;
}

function unreadable(target: TargetName, cells: readonly Cell[], reading: Reading): string | undefined {
  const faultOf = ({ text }: Cell): string | undefined => {
    if (target === "payment" || target === "status")
      return choiceOf(target, text) === undefined
        ? `which is not one of ${Object.keys(CHOICES[target]).join(", ")}`
        : undefined;
    if (target !== "placedAt" && target !== "quantity" && !isOneOf(AMOUNTS, target)) return undefined;
    const value =
      target === "placedAt"
        ? dateOf(text, reading.isDayFirst)
        : numberOf(text, target === "quantity" ? {} : reading);
    return typeof value === "object" ? value.fault : undefined;
  };
  const cell = cells.find((one) => faultOf(one) !== undefined);
  return cell && `${cellsText([cell])}, ${faultOf(cell)}`;
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
  return differing.size > 1 ? cellsText([...differing.values()]) : undefined;
}

/** Two cells agree if this is equal. */
export function plainOf(target: TargetName, text: string, decimalsMax = 2): string {
  if (isOneOf(AMOUNTS, target)) return String(numberOf(text, { decimalsMax }));
  if (target === "customerPhone") return text.replaceAll(/\D/g, "");
  const plain = text.normalize("NFC").replaceAll(/\s+/g, " ");
  return isOneOf(IN_ANY_CASE, target) ? plain.toLowerCase() : plain;
}

function isOneOf(targets: readonly TargetName[], target: TargetName): boolean {
  return targets.includes(target);
}

const LISTED_MAX = 3;
const CHARACTERS_MAX = 60;

/** `column “currency” has “EUR” in line 2 and “JPY” in line 3`. */
function cellsText(cells: readonly Cell[]): string {
  const texts = cells
    .slice(0, LISTED_MAX)
    .map(
      ({ text, line }) =>
        `“${text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text}” in line ${line}`,
    );
  const more = cells.length - texts.length;
  const all = more > 0 ? [...texts, `${more} more`] : texts;
  return `column “${cells[0]?.column}” has ${listed(all)}`;
}
