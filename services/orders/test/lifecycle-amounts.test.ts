// The amounts of payments and refunds, accepted and refused (interface §4, "Money").
import { describe, expect, test } from "@jest/globals";
import { placeOrder, takeSteps } from "./support/lifecycle-steps.ts";
import { sharedTestOrders } from "./support/test-orders.ts";

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("the amounts of payments and refunds", () => {
  const pay = (id: string, amount?: unknown, status = "succeeded") =>
    shop.client.post(`/v1/orders/${id}/payments`, { status, amount });
  const refund = (id: string, amount?: unknown) => shop.client.post(`/v1/orders/${id}/refund`, { amount });
  const read = async (id: string) => (await shop.client.get(`/v1/orders/${id}`)).body.data;
  const expectFault = ({ status, body }: Awaited<ReturnType<typeof pay>>) => {
    expect([status, body.error?.code]).toEqual([422, "validation_error"]);
    expect(body.error.details).toEqual([{ path: "amount", message: expect.any(String) }]);
  };

  test.each([
    ["USD", 10.005, 10.01],
    ["USD", 0.0049, 0],
    ["JPY", 1.5, 2],
    ["KWD", 0.0005, 0.001],
    ["CLF", 0.0001, 0.0001],
  ])(
    "in %s a total of %d is due as %d, which may be sent as the amount and can all be refunded",
    async (currency, unitPrice, due) => {
      for (const named of [undefined, due]) {
        const id = await placeOrder(shop, { currency, unitPrice });
        expect(await read(id)).toMatchObject({ payableTotal: due, amountDue: due, paidTotal: 0 });
        const paid = await pay(id, named);
        expect(paid.body.data).toMatchObject({ payableTotal: due, amountDue: 0 });
        expect([paid.status, paid.body.data?.paidTotal, paid.body.data?.total]).toEqual([
          200,
          due,
          unitPrice,
        ]);
        if (due === 0) continue;
        const refunded = await refund(id, named);
        expect([refunded.status, refunded.body.data]).toMatchObject([
          200,
          { paymentStatus: "refunded", refundedTotal: due, paidTotal: due },
        ]);
      }
    },
  );

  test.each([
    ["USD", 10.005, [10.02, 10.005, 10.0101, 0, -10.01, "10.01", 1e15, 0.1 + 0.2]],
    ["JPY", 1.5, [0, 3, 1.5, 2.5]],
    ["KWD", 0.0005, [0, 0.002, 0.0005]],
  ])(
    "in %s, for a total of %d, refuse a payment of any of %j with 422",
    async (currency, unitPrice, amounts) => {
      const id = await placeOrder(shop, { currency, unitPrice });
      const before = await read(id);
      for (const amount of amounts) expectFault(await pay(id, amount));
      expect(await read(id)).toEqual(before);
    },
  );

  test("accept a failed payment of any amount with the currency's decimals", async () => {
    const id = await placeOrder(shop, { currency: "JPY", unitPrice: 1.5 });
    for (const amount of [1, 2, 500]) expect((await pay(id, amount, "failed")).status).toBe(200);
    for (const amount of [1.5, -1, "2"]) expectFault(await pay(id, amount, "failed"));
    expect(await read(id)).toMatchObject({ paymentStatus: "failed", paidTotal: 0, version: 4 });
  });

  test.each([
    ["USD", 10.005, [10.02, 10.011, 0.005, 0, -1, "1", 1e15]],
    ["JPY", 1.5, [3, 0.5, 1.5]],
    ["KWD", 1, [1.001, 0.0001]],
  ])(
    "in %s, for a total of %d, refuse a refund of any of %j with 422",
    async (currency, unitPrice, amounts) => {
      const id = await placeOrder(shop, { currency, unitPrice });
      await takeSteps(shop.client, id, ["succeeded"]);
      const before = await read(id);
      for (const amount of amounts) expectFault(await refund(id, amount));
      expect(await read(id)).toEqual(before);
    },
  );

  test("refund 0.3 in three refunds of 0.1, and never a cent more", async () => {
    const id = await placeOrder(shop, { unitPrice: 0.3 });
    await takeSteps(shop.client, id, ["succeeded"]);
    const expected = [
      { tooMuch: 0.31, refundedTotal: 0.1, paymentStatus: "partially_refunded" },
      { tooMuch: 0.21, refundedTotal: 0.2, paymentStatus: "partially_refunded" },
      { tooMuch: 0.11, refundedTotal: 0.3, paymentStatus: "refunded" },
    ];
    for (const { tooMuch, refundedTotal, paymentStatus } of expected) {
      expectFault(await refund(id, tooMuch));
      const { status, body } = await refund(id, 0.1);
      expect([status, body.data]).toMatchObject([200, { refundedTotal, paymentStatus }]);
    }
    expect((await refund(id, 0.1)).body.error.code).toBe("nothing_to_refund");
  });

  test("hold no money for a paid order of 0: it cannot be refunded and can be cancelled", async () => {
    for (const unitPrice of [0, 0.0049]) {
      const id = await placeOrder(shop, { unitPrice });
      const paid = await pay(id, 0);
      expect([paid.status, paid.body.data]).toMatchObject([200, { paymentStatus: "paid", paidTotal: 0 }]);
      const { status, body } = await refund(id);
      expect([status, body.error.code]).toEqual([409, "nothing_to_refund"]);
      expect([...body.error.state.allowedActions].sort()).toEqual(["cancel", "fulfill"]);
      const cancelled = await shop.client.post(`/v1/orders/${id}/cancel`);
      expect([cancelled.status, cancelled.body.data]).toMatchObject([
        200,
        { status: "cancelled", paymentStatus: "paid" },
      ]);
    }
  });
});
