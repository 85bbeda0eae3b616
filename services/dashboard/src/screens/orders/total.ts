// The amounts of a new order: exact decimals, in ten-thousandths as BigInt. The platform computes its own. Pure.
import type { DataOf } from "@tradepost/client/operations";

const DECIMALS = 4;
const UNITS_PER_ONE = 10_000;
const AMOUNT = /^(\d{1,11})(?:[.,](\d{0,4}))?$/;
const QUANTITY = /^\d{1,10}$/;

interface LineTexts {
  readonly quantity: string;
  readonly unitPrice: string;
  readonly taxAmount: string;
}

interface AmountTexts {
  readonly lines: readonly LineTexts[];
  readonly shippingTotal: string;
  readonly discountTotal: string;
  /** If it is empty, the sum of the lines' tax is used. */
  readonly taxTotal: string;
}

/** Computes the totals as the platform will. A text that is not an amount counts as 0. */
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
  return numberOf(unitsOf(String(paidTotal)) - unitsOf(String(refundedTotal)));
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
