// Computes what an order costs from its body. Pure.
import type { FieldFault } from "@tradepost/http";
import { isWithinBounds, sum, unitsOf } from "./money.ts";
import type { OrderInput } from "./order-input.ts";

/** All amounts are in ten-thousandths of the currency unit. */
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
 * total = subtotal + shippingTotal + taxTotal − discountTotal. Without a taxTotal, it is the sum of the lines' tax
 * amounts. Nothing is rounded. Returns the priced order, or every amount that is out of bounds (interface §4, "Money").
 */
export function priceOrder(input: OrderInput): PricedOrder | { faults: FieldFault[] } {
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
      ? [{ path: "discountTotal", message: "must not exceed the sum of the other amounts" }]
      : []),
    ...tooLarge("total", total),
  ];
  if (faults.length > 0) return { faults };
  return { input, lines, subtotal, shippingTotal, discountTotal, taxTotal, total };
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
    : [{ path, message: "exceeds the largest amount, 99999999999.9999" }];
}
