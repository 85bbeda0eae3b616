// What an order is, and what it costs: the amounts computed from a valid body. Pure.
import type { FieldFault } from "@tradepost/http";
import { isWithinBounds, sum, unitsOf } from "./money.ts";
import type { OrderInput } from "./order-input.ts";

/** All amounts in ten-thousandths of the currency unit. */
export interface PricedLine {
  readonly input: OrderInput["items"][number];
  readonly unitPrice: bigint;
  readonly taxAmount: bigint;
  /** Quantity × unit price, exact. */
  readonly subtotal: bigint;
}

export interface PricedOrder {
  readonly input: OrderInput;
  readonly lines: readonly PricedLine[];
  readonly subtotal: bigint;
  readonly shippingTotal: bigint;
  readonly discountTotal: bigint;
  readonly taxTotal: bigint;
  readonly total: bigint;
}

/**
 * Carries out contract §4, "Money": total = subtotal + shippingTotal + taxTotal − discountTotal; taxTotal, where it is
 * not given, is the sum of the lines' tax amounts. Nothing is rounded. Out: the priced order, or every amount at fault.
 */
export function priceOrder(input: OrderInput): { priced: PricedOrder } | { faults: FieldFault[] } {
  const lines = input.items.map(priceLine);
  const subtotal = sum(lines.map((line) => line.subtotal));
  const shippingTotal = unitsOf(input.shippingTotal);
  const discountTotal = unitsOf(input.discountTotal);
  const taxTotal =
    input.taxTotal === undefined ? sum(lines.map((line) => line.taxAmount)) : unitsOf(input.taxTotal);
  const total = subtotal + shippingTotal + taxTotal - discountTotal;

  const faults = [
    ...lines.flatMap((line, index) => tooLarge(`items[${index}].subtotal`, line.subtotal)),
    ...tooLarge("subtotal", subtotal),
    ...tooLarge("taxTotal", taxTotal),
    ...(total < 0n
      ? [{ path: "discountTotal", message: "must not be more than all the rest together" }]
      : []),
    ...tooLarge("total", total),
  ];
  if (faults.length > 0) return { faults };
  return { priced: { input, lines, subtotal, shippingTotal, discountTotal, taxTotal, total } };
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

function tooLarge(path: string, units: bigint): FieldFault[] {
  return units < 0n || isWithinBounds(units)
    ? []
    : [{ path, message: "comes to more than an amount may be" }];
}
