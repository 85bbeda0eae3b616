// The amounts of a new order: exact decimals, in ten-thousandths as BigInt. The platform computes its own. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { fractionDigits, sumOf } from "../../format/money.ts";
import type { Draft, DraftLine } from "./draft.ts";

const DECIMALS = 4;
const UNITS_PER_ONE = 10_000;
const AMOUNT = /^(\d{1,11})(?:[.,](\d{0,4}))?$/;
const QUANTITY = /^\d{1,10}$/;

type LineTexts = Pick<DraftLine, "quantity" | "unitPrice" | "taxAmount">;

interface AmountTexts extends Pick<Draft, "shippingTotal" | "discountTotal" | "taxTotal"> {
  readonly lines: readonly LineTexts[];
}

/** Computes the totals as the platform will. A text that is not an amount counts as 0; without a tax, the sum of the lines' tax counts. */
export function totalsOf({ lines, shippingTotal, discountTotal, taxTotal }: AmountTexts) {
  const subtotal = sum(lines.map(lineUnits));
  const shipping = unitsOf(shippingTotal);
  const tax =
    taxTotal.trim() === "" ? sum(lines.map(({ taxAmount }) => unitsOf(taxAmount))) : unitsOf(taxTotal);
  const discount = unitsOf(discountTotal);
  return {
    subtotal: numberOf(subtotal),
    shippingTotal: numberOf(shipping),
    taxTotal: numberOf(tax),
    discountTotal: numberOf(discount),
    total: numberOf(subtotal + shipping + tax - discount),
  };
}

export function lineTotal(line: LineTexts): number {
  return numberOf(lineUnits(line));
}

export function leftToRefund({ paidTotal, refundedTotal }: DataOf<"getOrder">): number {
  return sumOf([paidTotal, -refundedTotal]);
}

/**
 * The refund for these units, as the platform computes it: their price and their part of the tax, rounded half up to the currency's
 * minor unit, and at most the amount that is left.
 */
export function shareOf(order: DataOf<"getOrder">, units: ReadonlyMap<string, number>): number {
  let [above, below] = [0n, 1n];
  for (const { id, quantity, unitPrice, taxAmount } of order.items) {
    if (!units.get(id)) continue;
    const [taken, all] = [BigInt(units.get(id) ?? 0), BigInt(Math.max(quantity, 1))];
    const exact = taken * (unitsOf(String(unitPrice)) * all + unitsOf(String(taxAmount)));
    [above, below] = [above * all + exact * below, below * all];
  }
  const minor = 10n ** BigInt(DECIMALS - fractionDigits(order.currency));
  const rounded = ((2n * above + below * minor) / (2n * below * minor)) * minor;
  return Math.min(numberOf(rounded), leftToRefund(order));
}

function lineUnits({ quantity, unitPrice }: LineTexts): bigint {
  const count = quantity.trim();
  return QUANTITY.test(count) ? BigInt(count) * unitsOf(unitPrice) : 0n;
}

function unitsOf(text: string): bigint {
  const [, whole = "0", fraction = ""] = AMOUNT.exec(text.trim()) ?? [];
  return BigInt(whole + fraction.padEnd(DECIMALS, "0"));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, one) => total + one, 0n);
}

/** Amounts within the platform's bounds have at most 15 digits, so the nearest number is written with exactly these digits. */
function numberOf(units: bigint): number {
  return Number(units) / UNITS_PER_ONE;
}
