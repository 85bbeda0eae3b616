// Every action in every state of an order (interface §4) leads to the expected state or refusal.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { placeOrder, STEPS_TO, type Step, takeStep, takeSteps } from "./support/lifecycle-steps.ts";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

// A cell contains the new status or paymentStatus (the other one does not change), the code of a 409, or "-" if no order can have
// that state. Each order costs 10. A partially refunded one has a refund of 4.
const TABLE = `
  status    | action     | unpaid             | failed             | paid               | partially_refunded | refunded
  placed    | succeeded  | paid               | paid               | order_already_paid | order_already_paid | order_already_paid
  placed    | failed     | failed             | failed             | order_already_paid | order_already_paid | order_already_paid
  placed    | fulfill    | fulfilled          | fulfilled          | fulfilled          | fulfilled          | invalid_transition
  placed    | deliver    | invalid_transition | invalid_transition | invalid_transition | invalid_transition | invalid_transition
  placed    | cancel     | cancelled          | cancelled          | refund_required    | refund_required    | cancelled
  placed    | refund 4   | order_not_paid     | order_not_paid     | partially_refunded | partially_refunded | nothing_to_refund
  placed    | refund all | order_not_paid     | order_not_paid     | refunded           | refunded           | nothing_to_refund
  fulfilled | succeeded  | paid               | paid               | order_already_paid | order_already_paid | order_already_paid
  fulfilled | failed     | failed             | failed             | order_already_paid | order_already_paid | order_already_paid
  fulfilled | fulfill    | invalid_transition | invalid_transition | invalid_transition | invalid_transition | invalid_transition
  fulfilled | deliver    | delivered          | delivered          | delivered          | delivered          | delivered
  fulfilled | cancel     | invalid_transition | invalid_transition | invalid_transition | invalid_transition | invalid_transition
  fulfilled | refund 4   | order_not_paid     | order_not_paid     | partially_refunded | partially_refunded | nothing_to_refund
  fulfilled | refund all | order_not_paid     | order_not_paid     | refunded           | refunded           | nothing_to_refund
  delivered | succeeded  | paid               | paid               | order_already_paid | order_already_paid | order_already_paid
  delivered | failed     | failed             | failed             | order_already_paid | order_already_paid | order_already_paid
  delivered | fulfill    | invalid_transition | invalid_transition | invalid_transition | invalid_transition | invalid_transition
  delivered | deliver    | invalid_transition | invalid_transition | invalid_transition | invalid_transition | invalid_transition
  delivered | cancel     | invalid_transition | invalid_transition | invalid_transition | invalid_transition | invalid_transition
  delivered | refund 4   | order_not_paid     | order_not_paid     | partially_refunded | partially_refunded | nothing_to_refund
  delivered | refund all | order_not_paid     | order_not_paid     | refunded           | refunded           | nothing_to_refund
  cancelled | succeeded  | order_cancelled    | order_cancelled    | -                  | -                  | order_cancelled
  cancelled | failed     | order_cancelled    | order_cancelled    | -                  | -                  | order_cancelled
  cancelled | fulfill    | invalid_transition | invalid_transition | -                  | -                  | invalid_transition
  cancelled | deliver    | invalid_transition | invalid_transition | -                  | -                  | invalid_transition
  cancelled | cancel     | invalid_transition | invalid_transition | -                  | -                  | invalid_transition
  cancelled | refund 4   | order_not_paid     | order_not_paid     | -                  | -                  | nothing_to_refund
  cancelled | refund all | order_not_paid     | order_not_paid     | -                  | -                  | nothing_to_refund`;

/** The expected `allowedActions` of the order, and of `error.state`, in each state. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "placed unpaid": ["cancel", "fulfill", "payments"],
  "placed failed": ["cancel", "fulfill", "payments"],
  "placed paid": ["fulfill", "refund"],
  "placed partially_refunded": ["fulfill", "refund"],
  "placed refunded": ["cancel"],
  "fulfilled unpaid": ["deliver", "payments"],
  "fulfilled failed": ["deliver", "payments"],
  "fulfilled paid": ["deliver", "refund"],
  "fulfilled partially_refunded": ["deliver", "refund"],
  "fulfilled refunded": ["deliver"],
  "delivered unpaid": ["payments"],
  "delivered failed": ["payments"],
  "delivered paid": ["refund"],
  "delivered partially_refunded": ["refund"],
  "delivered refunded": [],
  "cancelled unpaid": [],
  "cancelled failed": [],
  "cancelled refunded": [],
};
const STATUSES = ["placed", "fulfilled", "delivered", "cancelled"];
const PAYMENT_STATUSES = ["unpaid", "failed", "paid", "partially_refunded", "refunded"];

const cells = cellsOf(TABLE);

describe("an order that is", () => {
  let orders: TestOrders;
  let shop: TestShop;
  beforeAll(async () => {
    orders = await startTestOrders();
    shop = await orders.openShop();
  });
  afterAll(() => orders.stop());

  const orderIn = async (status: string, paymentStatus: string) => {
    const id = await placeOrder(shop);
    const way = STEPS_TO[`${status} ${paymentStatus}`];
    if (way === undefined) throw new Error(`no order is ${status} and ${paymentStatus}`);
    await takeSteps(shop.client, id, way);
    const before = (await shop.client.get(`/v1/orders/${id}`)).body.data;
    expect(before).toMatchObject({ status, paymentStatus, version: way.length + 1 });
    return before;
  };
  const isRefusal = (outcome: string) => ![...STATUSES, ...PAYMENT_STATUSES].includes(outcome);

  test.each(cells.filter(({ outcome }) => !isRefusal(outcome)))(
    "$status and $paymentStatus becomes $outcome by $step, and reads the same again",
    async ({ status, paymentStatus, step, outcome }) => {
      const before = await orderIn(status, paymentStatus);
      const response = await takeStep(shop.client, before.id, step);
      const version = before.version + 1;
      const refundedTotal = { refunded: 10, partially_refunded: before.refundedTotal + 4 }[outcome];
      const state = {
        status,
        paymentStatus,
        [STATUSES.includes(outcome) ? "status" : "paymentStatus"]: outcome,
      };
      const isDue = state.status !== "cancelled" && ["unpaid", "failed"].includes(state.paymentStatus);
      expect([response.status, response.body]).toEqual([
        200,
        {
          success: true,
          data: {
            ...before,
            ...state,
            payableTotal: 10,
            amountDue: isDue ? 10 : 0,
            allowedActions: expect.any(Array),
            updatedAt: expect.any(String),
            paidTotal: outcome === "paid" ? 10 : before.paidTotal,
            refundedTotal: refundedTotal ?? before.refundedTotal,
            version,
          },
        },
      ]);
      expect([...response.body.data.allowedActions].sort()).toEqual(
        ALLOWED[`${state.status} ${state.paymentStatus}`],
      );
      expect(response.body.data.updatedAt >= before.updatedAt).toBe(true);
      expect(response.headers.get("etag")).toBe(`"${version}"`);
      const read = await shop.client.get(`/v1/orders/${before.id}`);
      expect([read.body, read.headers.get("etag")]).toEqual([response.body, `"${version}"`]);
    },
  );

  test.each(cells.filter(({ outcome }) => isRefusal(outcome)))(
    "$status and $paymentStatus refuses $step with $outcome, and does not change",
    async ({ status, paymentStatus, step, outcome }) => {
      const before = await orderIn(status, paymentStatus);
      const response = await takeStep(shop.client, before.id, step);
      expect([response.status, response.body.success, response.body.error]).toEqual([
        409,
        false,
        {
          code: outcome,
          message: expect.any(String),
          requestId: response.headers.get("x-request-id"),
          state: { status, paymentStatus, allowedActions: expect.any(Array) },
        },
      ]);
      expect([...response.body.error.state.allowedActions].sort()).toEqual(
        ALLOWED[`${status} ${paymentStatus}`],
      );
      expect((await shop.client.get(`/v1/orders/${before.id}`)).body.data).toEqual(before);
    },
  );

  test("in any state is tested with each of the seven steps", () => {
    expect(Object.keys(ALLOWED)).toEqual(Object.keys(STEPS_TO));
    expect(cells).toHaveLength(Object.keys(STEPS_TO).length * 7);
  });
});

function cellsOf(table: string) {
  const [head = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.flatMap(([status = "", step = "", ...outcomes]) =>
    outcomes.flatMap((outcome, index) =>
      // The cast is correct: the second column contains only steps.
      outcome === "-" ? [] : [{ status, step: step as Step, paymentStatus: head[index + 2] ?? "", outcome }],
    ),
  );
}
