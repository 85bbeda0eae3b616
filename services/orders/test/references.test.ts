// References of payments and refunds: a repeated reference changes nothing. Also: the list of payments and refunds.

import { randomUUID } from "node:crypto";
import { type ClientResponse, readPages } from "@tradepost/testing";
import { placeOrder, takeSteps } from "./support/lifecycle-steps.ts";
import { ownTestOrders } from "./support/test-orders.ts";

const orders = await ownTestOrders({ replicas: 2 });
const shop = await orders.openShop();

describe("a reference", () => {
  const pay = (id: string, body: object, headers?: Record<string, string>) =>
    shop.client.post(`/v1/orders/${id}/payments`, body, headers);
  const refund = (id: string, body: object, headers?: Record<string, string>) =>
    shop.client.post(`/v1/orders/${id}/refund`, body, headers);
  const orderOf = async (id: string) => (await shop.client.get(`/v1/orders/${id}`)).body;
  /** "409 reference_reused", or "200 paid 2" with the version. */
  const outcome = ({ status, body }: ClientResponse) =>
    `${status} ${body.error?.code ?? `${body.data.paymentStatus} ${body.data.version}`}`;

  test("makes a repeated payment 200, also after a refund and a cancellation, and changes nothing", async () => {
    const id = await placeOrder(shop);
    const payment = { status: "succeeded", amount: 10, reference: "ch_1" };
    expect(outcome(await pay(id, payment))).toBe("200 paid 2");
    const again = await pay(id, payment);
    expect(outcome(again)).toBe("200 paid 2");
    expect([again.headers.get("etag"), again.body]).toEqual(['"2"', await orderOf(id)]);
    expect(outcome(await pay(id, { status: "succeeded", reference: "ch_1" }))).toBe("200 paid 2");
    await takeSteps(shop.client, id, ["refund all", "cancel"]);
    expect(outcome(await pay(id, payment))).toBe("200 refunded 4");
    const { body } = await shop.client.get(`/v1/orders/${id}/payments`);
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual(["refund", "payment"]);
  });

  test("makes a repeated refund 200, of a part or of all that was left, and changes nothing", async () => {
    const id = await placeOrder(shop, ["succeeded"]);
    expect(outcome(await refund(id, { amount: 4, reference: "re_1" }))).toBe("200 partially_refunded 3");
    expect(outcome(await refund(id, { amount: 4, reference: "re_1" }))).toBe("200 partially_refunded 3");
    expect(outcome(await refund(id, { amount: 4 }))).toBe("200 partially_refunded 4");
    const rest = { reference: "re_2", reason: "broken" };
    expect(outcome(await refund(id, rest))).toBe("200 refunded 5");
    expect(outcome(await refund(id, rest))).toBe("200 refunded 5");
    expect(outcome(await refund(id, { amount: 2, reference: "re_2" }))).toBe("200 refunded 5");
    expect((await orderOf(id)).data.refundedTotal).toBe(10);
  });

  test("is 409 reference_reused with the state if it comes with another amount, before any other refusal", async () => {
    const id = await placeOrder(shop);
    const failed = { status: "failed", amount: 3, reference: "ch_1" };
    expect(outcome(await pay(id, failed))).toBe("200 failed 2");
    expect(outcome(await pay(id, failed))).toBe("200 failed 2");
    const before = await orderOf(id);
    const allowedActions = ["payments", "fulfill", "cancel"];
    const state = { status: "placed", paymentStatus: "failed", allowedActions };
    for (const body of [
      { status: "failed", amount: 4, reference: "ch_1" },
      { status: "succeeded", amount: 10, reference: "ch_1" },
      { status: "succeeded", reference: "ch_1" },
    ]) {
      const { status, body: answer } = await pay(id, body);
      expect([status, answer.error.code, answer.error.state]).toEqual([409, "reference_reused", state]);
    }
    expect(await orderOf(id)).toEqual(before);
    await pay(id, { status: "succeeded", reference: "ch_2" });
    const other = { status: "succeeded", amount: 9, reference: "ch_2" };
    expect(outcome(await pay(id, other))).toBe("409 reference_reused");
    await refund(id, { amount: 10, reference: "re_1" });
    expect(outcome(await refund(id, { amount: 1, reference: "re_1" }))).toBe("409 reference_reused");
    expect(outcome(await refund(id, { amount: 1, reference: "re_2" }))).toBe("409 nothing_to_refund");
  });

  test("may come with another status: a failed payment that succeeds at last", async () => {
    const id = await placeOrder(shop);
    expect(outcome(await pay(id, { status: "failed", reference: "pi_1" }))).toBe("200 failed 2");
    expect(outcome(await pay(id, { status: "succeeded", reference: "pi_1" }))).toBe("200 paid 3");
    expect(outcome(await pay(id, { status: "failed", reference: "pi_1" }))).toBe("200 paid 3");
  });

  test("belongs to one order, and payments and refunds have their own", async () => {
    const [first, second] = [await placeOrder(shop), await placeOrder(shop, [], 20)];
    await pay(first, { status: "succeeded", reference: "same" });
    expect(outcome(await pay(second, { status: "succeeded", reference: "same" }))).toBe("200 paid 2");
    expect(outcome(await refund(first, { amount: 4, reference: "same" }))).toBe("200 partially_refunded 3");
    // Payments without a reference are never repetitions.
    expect(outcome(await pay(first, { status: "succeeded" }))).toBe("409 order_already_paid");
  });

  test("makes one payment of many at the same moment on two replicas, with one event; all are 200", async () => {
    const fresh = await orders.openShop();
    const id = await placeOrder(fresh);
    const [one, other] = orders.urls.map((url) => fresh.clientAt(url));
    const outcomes = async (action: string, body: object) => {
      const sent = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? one : other)?.post(`/v1/orders/${id}/${action}`, body),
      );
      return (await Promise.all(sent)).map((response) => response && outcome(response));
    };
    const paid = await outcomes("payments", { status: "succeeded", reference: "ch_race" });
    expect(paid).toEqual(Array(12).fill("200 paid 2"));
    const refunded = await outcomes("refund", { amount: 3, reference: "re" });
    expect(refunded).toEqual(Array(12).fill("200 partially_refunded 3"));
    expect(await fresh.count("outbox")).toBeLessThanOrEqual(3);
    const types = (await fresh.published(3)).map(({ type }) => type);
    expect(types).toEqual(["order.placed", "order.paid", "order.refunded"]);
  });

  test("with an Idempotency-Key stores the response, so that the key replays it", async () => {
    const id = await placeOrder(shop);
    const body = { status: "succeeded", reference: "ch_key" };
    await pay(id, body);
    const key = { "idempotency-key": randomUUID() };
    const first = await pay(id, body, key);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    await takeSteps(shop.client, id, ["fulfill"]);
    const again = await pay(id, body, key);
    expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", first.text]);
    expect((await pay(id, { ...body, amount: 10 }, key)).body.error.code).toBe("idempotency_key_reused");
  });

  test("does not override If-Match", async () => {
    const id = await placeOrder(shop);
    const body = { status: "succeeded", reference: "ch_match" };
    await pay(id, body);
    expect((await pay(id, body, { "if-match": '"1"' })).status).toBe(412);
    expect((await pay(id, body, { "if-match": '"2"' })).status).toBe(200);
  });

  test("stands in the list of payments and refunds, newest first, with pages", async () => {
    const id = await placeOrder(shop);
    await pay(id, { status: "failed", amount: 3, reference: "ch_0" });
    await pay(id, { status: "succeeded" });
    await takeSteps(shop.client, id, ["fulfill"]);
    await refund(id, { amount: 2.5, reason: "broken", reference: "re_0" });
    const { status, body } = await shop.client.get(`/v1/orders/${id}/payments`);
    const common = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), createdAt: expect.stringMatching(/Z$/) };
    const data = [
      { ...common, kind: "refund", status: "succeeded", amount: 2.5, reference: "re_0", reason: "broken" },
      { ...common, kind: "payment", status: "succeeded", amount: 10, reference: null, reason: null },
      { ...common, kind: "payment", status: "failed", amount: 3, reference: "ch_0", reason: null },
    ];
    expect([status, body]).toEqual([200, { success: true, data, page: { nextCursor: null } }]);
    const timeline = (await shop.client.get(`/v1/orders/${id}/timeline`)).body.data;
    expect(timeline[0].refund.id).toBe(body.data[0].id);
    const pages = await readPages(shop.client, `/v1/orders/${id}/payments?limit=2`);
    expect(pages.flat()).toEqual(body.data);
  });
});
