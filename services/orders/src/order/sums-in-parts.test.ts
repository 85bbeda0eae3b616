// Whatever is paid and refunded, in parts and by line, adds up: compared with exact rationals, in currencies of 0, 2, 3 and 4 digits.
import fc from "fast-check";
import type { Action } from "./action-input.ts";
import { decide, derivedFields } from "./lifecycle.ts";
import { newOrderResource } from "./new-order-resource.ts";
import { orderInput } from "./order-input.ts";
import { priceOrder } from "./price-order.ts";

const DIGITS = { JPY: 0, USD: 2, KWD: 3, CLF: 4 } as const;
const QUANTITY_MAX = 2_147_483_647;
const ID = "0198c5a2-7e1b-7c3d-9a4f-5b6c7d8e9f00";

const amount = (digits: number, max: number) =>
  fc.integer({ min: 0, max }).map((units) => Number((units / 10 ** digits).toFixed(digits)));
const order = fc.constantFrom(...(Object.keys(DIGITS) as (keyof typeof DIGITS)[])).chain((currency) => {
  const money = amount(DIGITS[currency], 100_000);
  const line = fc.record({
    ...{ sku: fc.constant("a"), name: fc.constant("a"), unitPrice: amount(4, 1_000_000), taxAmount: money },
    quantity: fc.oneof(
      { weight: 9, arbitrary: fc.integer({ min: 1, max: 9 }) },
      fc.constant(QUANTITY_MAX),
      fc.integer({ min: 1, max: QUANTITY_MAX }),
    ),
  });
  return fc.record({
    ...{
      currency: fc.constant(currency),
      customerId: fc.constant(ID),
      shippingTotal: money,
      discountTotal: money,
    },
    items: fc.array(line, { minLength: 1, maxLength: 6 }),
  });
});
/** A share of what is due, of what is left, or of a line's units, in thousandths. */
const share = fc.integer({ min: 0, max: 1_000 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("pay" as const), share }),
  fc.record({ kind: fc.constant("refund" as const), share }),
  fc.record({ kind: fc.constant("lines" as const), shares: fc.array(share, { minLength: 1, maxLength: 6 }) }),
);

type Sums = Parameters<typeof decide>[0] & ReturnType<typeof derivedFields>;

/** In ten-thousandths. */
const exact = (value: number) => BigInt(Math.round(value * 10_000));

test("what is paid, refunded and due always adds up, and refunds end at exactly what was paid", () => {
  const reached = { parts: 0, lines: 0 };
  fc.assert(
    fc.property(order, fc.array(step, { maxLength: 20 }), (body, steps) => {
      const priced = priceOrder(orderInput.parse(body));
      fc.pre(!("faults" in priced));
      let now: Sums = newOrderResource(ID, priced);
      const minor = 10n ** BigInt(4 - DIGITS[body.currency]);
      const payable = exact(now.payableTotal);
      expect(payable % minor).toBe(0n);
      const apply = (action: Action) => {
        const [transition] = decide(now, action, { shipmentId: "", at: "" });
        const changed = { ...now, ...transition?.changes };
        now = { ...changed, ...derivedFields(changed) };
        const [paid, refunded, due] = [now.paidTotal, now.refundedTotal, now.amountDue].map(exact);
        const isOpen = now.paymentStatus === "partially_paid";
        expect([paid, refunded, due].map((sum) => (sum ?? 0n) % minor)).toEqual([0n, 0n, 0n]);
        expect(due).toBe(isOpen ? payable - (paid ?? 0n) : 0n);
        expect((refunded ?? 0n) <= (paid ?? 0n) && (paid ?? 0n) <= payable).toBe(true);
        return transition?.extra.refund?.amount ?? 0;
      };
      const partOf = (whole: number, thousandths: number) =>
        Number((exact(whole) * BigInt(thousandths)) / 1_000n / minor) * (Number(minor) / 10_000);
      const rounded = (value: number) => Number(value.toFixed(DIGITS[body.currency]));

      for (const one of steps) {
        const left = rounded(now.paidTotal - now.refundedTotal);
        if (one.kind === "pay") {
          const part = rounded(partOf(now.amountDue, one.share));
          if (part > 0) apply({ name: "payments", status: "succeeded", amount: part });
          if (now.paymentStatus === "partially_paid") reached.parts += 1;
        } else if (one.kind === "refund") {
          const part = rounded(partOf(left, one.share));
          if (part > 0) apply({ name: "refund", amount: part });
        } else if (left > 0) {
          const lines = now.items.flatMap(({ id, quantity, refundedQuantity }, index) => {
            const units = Math.floor(((quantity - refundedQuantity) * (one.shares[index] ?? 0)) / 1_000);
            return units === 0 ? [] : [{ lineId: id, quantity: units }];
          });
          // The exact cost is `above / below`.
          let [above, below] = [0n, 1n];
          for (const { lineId, quantity } of lines) {
            const line = now.items.find(({ id }) => id === lineId);
            const [units, whole] = [BigInt(quantity), BigInt(line?.quantity ?? 1)];
            above =
              above * whole +
              below * units * (exact(line?.unitPrice ?? 0) * whole + exact(line?.taxAmount ?? 0));
            below *= whole;
          }
          if (2n * above < minor * below) continue;
          const refunded = exact(apply({ name: "refund", lines }));
          reached.lines += 1;
          const isWithinHalf = (difference: bigint) =>
            -minor * below < 2n * difference && 2n * difference <= minor * below;
          expect(refunded === exact(left) ? above >= 0n : isWithinHalf(refunded * below - above)).toBe(true);
          if (refunded === exact(left)) expect(2n * (refunded * below - above) <= minor * below).toBe(true);
        }
      }
      if (now.amountDue > 0 && now.paymentStatus !== "unpaid")
        apply({ name: "payments", status: "succeeded" });
      if (now.paidTotal > now.refundedTotal) apply({ name: "refund" });
      expect(now.refundedTotal).toBe(now.paidTotal);
      if (now.paidTotal > 0) expect(now.paymentStatus).toBe("refunded");
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(100);
});

test("the lines of an order of 500 lines are refunded with their tax in one go", () => {
  const items = Array.from({ length: 500 }, (_, index) => ({
    ...{ sku: "a", name: "a", quantity: 2_147_482_647 + index, unitPrice: 0.0001, taxAmount: 0.01 },
  }));
  const priced = priceOrder(orderInput.parse({ customerId: ID, items }));
  if ("faults" in priced) throw new Error("too large");
  const resource = newOrderResource(ID, priced);
  const paid = { ...resource, paymentStatus: "paid" as const, paidTotal: resource.payableTotal };
  const refundOf = (quantityOf: (quantity: number) => number) => {
    const lines = resource.items.map(({ id, quantity }) => ({ lineId: id, quantity: quantityOf(quantity) }));
    return decide(paid, { name: "refund", lines }, { shipmentId: "", at: "" })[0]?.extra.refund?.amount;
  };
  expect(refundOf((quantity) => quantity)).toBe(resource.payableTotal);
  // 500 units of 0.0001, each with a tax below 0.00000000001.
  expect(refundOf(() => 1)).toBe(0.05);
});
