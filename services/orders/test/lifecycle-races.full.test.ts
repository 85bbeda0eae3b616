// Several concurrent actions on one order: one commits first, and the others are decided on the resulting order.
import type { ClientResponse } from "@tradepost/testing";
import { placeOrder, type Step, takeStep } from "./support/lifecycle-steps.ts";
import { sharedTestOrders } from "./support/test-orders.ts";

const ROUNDS = 20;

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("at the same moment", () => {
  const read = async (id: string) => (await shop.client.get(`/v1/orders/${id}`)).body.data;
  const refund = (id: string, amount?: number) => shop.client.post(`/v1/orders/${id}/refund`, { amount });
  const atOnce = <Value>(count: number, act: (index: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)));
  const outcomes = (responses: ClientResponse[]) =>
    responses.map(({ status, body }) => (status === 200 ? "200" : body.error.code)).sort();
  /** Checks that each commit made one version and one timeline entry. */
  const expectCommits = async (id: string, count: number) => {
    const { body } = await shop.client.get(`/v1/orders/${id}/timeline?limit=100`);
    const versions = Array.from({ length: count + 1 }, (_, index) => count + 1 - index);
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual(versions);
    expect((await read(id)).version).toBe(count + 1);
  };

  test("eight refunds of any size refund exactly the sum of those with 200, and never more than was paid", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await placeOrder(shop, ["succeeded"]);
      const cents = Array.from({ length: 8 }, (_, index) => 53 + ((round * 131 + index * 97) % 400));
      const responses = await atOnce(8, (index) => refund(id, Number(cents[index]) / 100));
      const given = cents.reduce(
        (sum, cent, index) => sum + (responses[index]?.status === 200 ? cent : 0),
        0,
      );
      const { refundedTotal } = await read(id);
      expect(Math.round(refundedTotal * 100)).toBe(given);
      expect(given).toBeLessThanOrEqual(1_000);
    }
  });

  /** Takes two steps at the same moment, in turn one or the other first. Returns the responses, the order and who won. */
  const raceTwo = async (round: number, first: Step, second: Step) => {
    const id = await placeOrder(shop);
    const steps = round % 2 === 0 ? [first, second] : [second, first];
    const responses = await Promise.all(steps.map((step) => takeStep(shop.client, id, step)));
    return { id, responses, order: await read(id) };
  };

  test("one of cancel and fulfill succeeds, and the other gets the actions allowed now", async () => {
    const winners = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, responses, order } = await raceTwo(round, "cancel", "fulfill");
      const { status } = order;
      expect(outcomes(responses)).toEqual(["200", "invalid_transition"]);
      const state = responses.find((response) => response.status === 409)?.body.error.state;
      state?.allowedActions.sort();
      const allowedActions = status === "cancelled" ? [] : ["deliver", "payments"];
      expect(state).toEqual({ status, paymentStatus: "unpaid", allowedActions });
      winners.add(status);
      await expectCommits(id, 1);
    }
    expect([...winners].sort()).toEqual(["cancelled", "fulfilled"]);
  });

  test("one of cancel and a payment succeeds: no cancelled order is paid", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, responses, order } = await raceTwo(round, "cancel", "succeeded");
      const isCancelled = order.status === "cancelled";
      expect(order.paymentStatus).toBe(isCancelled ? "unpaid" : "paid");
      expect(outcomes(responses)).toEqual(["200", isCancelled ? "order_cancelled" : "refund_required"]);
      await expectCommits(id, 1);
    }
  });

  test("one of eight actions with the same version in If-Match succeeds", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await placeOrder(shop);
      const responses = await atOnce(8, () => takeStep(shop.client, id, "failed", { "if-match": '"1"' }));
      expect(outcomes(responses)).toEqual(["200", ...Array(7).fill("version_mismatch")]);
      await expectCommits(id, 1);
    }
  });
});
