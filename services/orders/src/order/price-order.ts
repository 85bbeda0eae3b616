import type { FieldFault } from "@tradepost/http";
import { isWithinBounds, numberOf, sum, unitsOf } from "./money.ts";
import type { OrderInput } from "./order-input.ts";
import { type SummedTax, sumTaxes } from "./tax-summary.ts";

/** In ten-thousandths of the currency unit. */
export interface PricedLine {
  readonly input: OrderInput["items"][number];
  readonly unitPrice: bigint;
  readonly taxAmount: bigint;
  readonly subtotal: bigint;
}

export interface PricedOrder {
  readonly input: OrderInput;
  readonly lines: readonly PricedLine[];
  readonly subtotal: bigint;
  readonly shippingTotal: bigint;
  readonly discountTotal: bigint;
  readonly taxTotal: bigint;
  readonly taxSummary: readonly SummedTax[];
  readonly total: bigint;
}

/**
 * total = subtotal + shippingTotal + taxTotal − discountTotal. A missing taxTotal is the sum of the lines' tax amounts. Nothing
 * is rounded. Returns a fault for every amount that is out of bounds (interface §4, "Money").
 */
export function priceOrder(input: OrderInput): PricedOrder | { faults: FieldFault[] } {
  const lines = input.items.map(priceLine);
  const subtotal = sum(lines.map((line) => line.subtotal));
  const shippingTotal = unitsOf(input.shippingTotal);
  const discountTotal = unitsOf(input.discountTotal);
  const taxTotal =
    input.taxTotal === undefined ? sum(lines.map((line) => line.taxAmount)) : unitsOf(input.taxTotal);
  const total = subtotal + shippingTotal + taxTotal - discountTotal;
  const taxSummary = sumTaxes(lines.flatMap(({ input: { taxLines = [] } }) => taxLines));

  const faults = [
    ...lines.flatMap((line, index) => tooLarge(`items[${index}].subtotal`, line.subtotal)),
    ...tooLarge("subtotal", subtotal),
    ...lines.flatMap((line, index) => wrongTaxes(`items[${index}].taxLines`, line)),
    ...tooLarge("taxTotal", taxTotal),
    ...taxSummary.flatMap(({ amount }) => tooLarge("taxSummary", amount)).slice(0, 1),
    ...(total < 0n
      ? [{ path: "discountTotal", message: "must not exceed the sum of the other amounts" }]
      : []),
    ...tooLarge("total", total),
  ];
  if (faults.length > 0) return { faults };
  return { input, lines, subtotal, shippingTotal, discountTotal, taxTotal, taxSummary, total };
}

function priceLine(input: OrderInput["items"][number]): PricedLine {
  const unitPrice = unitsOf(input.unitPrice);
  return {
    input,
    unitPrice,
    taxAmount: unitsOf(input.taxAmount),
    subtotal: BigInt(input.quantity) * unitPrice,
  };
}

function wrongTaxes(path: string, { input: { taxLines }, taxAmount }: PricedLine): FieldFault[] {
  if (taxLines === undefined || sum(taxLines.map(({ amount }) => unitsOf(amount))) === taxAmount) return [];
  return [{ path, message: `must have amounts that sum to taxAmount, ${numberOf(taxAmount)}` }];
}

function tooLarge(path: string, units: bigint): FieldFault[] {
  return units < 0n || isWithinBounds(units)
    ? []
    : [{ path, message: "exceeds the largest amount, 99999999999.9999" }];
}
