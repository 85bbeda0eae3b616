// Requests for actions: their bodies, unknown orders, and If-Match.

import { randomUUID } from "node:crypto";
import { invalidFields } from "@tradepost/testing";
import { placeOrder, STEPS_TO, takeStep } from "./support/lifecycle-steps.ts";
import { sharedTestOrders } from "./support/test-orders.ts";

/** A state in which each action with an optional body is allowed. */
const FROM = {
  fulfill: "placed unpaid",
  deliver: "fulfilled unpaid",
  cancel: "placed unpaid",
  refund: "placed paid",
};
const optionalBodies = Object.keys(FROM) as (keyof typeof FROM)[];

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("an action on an order", () => {
  const orderIn = (state: string) => placeOrder(shop, STEPS_TO[state]);
  const post = (id: string, action: string, body?: unknown, headers?: Record<string, string>) =>
    shop.client.post(`/v1/orders/${id}/${action}`, body, headers);

  test.each(optionalBodies)("needs no body for %s, with or without a content type", async (action) => {
    for (const headers of [{}, { "content-type": "application/json" }]) {
      const path = `/v1/orders/${await orderIn(FROM[action])}/${action}`;
      const { status } = await shop.client.send("POST", path, { headers });
      expect(status).toBe(200);
    }
  });

  test("needs a body for payments, and gets 400 without one", async () => {
    const { status, body } = await post(await orderIn("placed unpaid"), "payments");
    expect([status, body.error.code]).toEqual([400, "invalid_json"]);
  });

  test.each([
    ["payments", { status: "succeeded", paid: true, currency: "USD" }, "currency paid"],
    ["payments", {}, "status"],
    ["payments", { status: "pending", amount: "10", reference: 7 }, "amount reference status"],
    ["payments", { status: "failed", amount: -1 }, "amount"],
    ["payments", { status: "succeeded", amount: 1e15 }, "amount"],
    ["refund", { amount: 0.1 + 0.2 }, "amount"],
    ["fulfill", { trackingNumber: "1Z", carier: "UPS" }, "carier"],
    ["fulfill", { trackingNumber: 1, carrier: {} }, "carrier trackingNumber"],
    ["deliver", { at: "noon" }, "at"],
    ["cancel", { reason: 5, refund: "yes" }, "reason refund"],
    ["refund", { amount: 0, note: "x" }, "amount note"],
  ])("refuses %s with %j: 422 lists every field at fault", async (action, body, fields) => {
    const id = await orderIn(action === "payments" ? "placed unpaid" : FROM[action as keyof typeof FROM]);
    const before = (await shop.client.get(`/v1/orders/${id}`)).body;
    expect(invalidFields(await post(id, action, body))).toBe(fields);
    expect((await shop.client.get(`/v1/orders/${id}`)).body).toEqual(before);
  });

  test.each<[string, number]>([
    ['"2"', 200],
    ["*", 200],
    ['"1", "2" ,"x"', 200],
    ['"1"', 412],
    ['"3"', 412],
    ['"1", "3", "x"', 412],
    ['""', 412],
  ])("of version 2 with If-Match %s is %i", async (tag, expected) => {
    const id = await orderIn("placed failed");
    for (const step of ["failed", "fulfill", "cancel"] as const) {
      const { status, headers } = await takeStep(shop.client, id, step, { "if-match": tag });
      const isTaken = expected === 200;
      expect([step, status, headers.get("etag")]).toEqual([step, expected, isTaken ? '"3"' : '"2"']);
      if (isTaken) return;
    }
  });

  test("is 412 rather than 409 if its state refuses it too", async () => {
    const id = await orderIn("cancelled unpaid");
    expect((await takeStep(shop.client, id, "cancel", { "if-match": '"1"' })).status).toBe(412);
    expect((await takeStep(shop.client, id, "cancel", { "if-match": '"2"' })).status).toBe(409);
  });

  test.each([
    ["a weak tag with the version", 'W/"2"', /weak tag/],
    ["a list with a weak tag", '"2", W/"2"', /weak tag/],
    ["the version without quotes", "2", /quotation marks/],
    ["not closed", '"2', /quotation marks/],
    ["empty", "", /quotation marks/],
  ])("gets 422 before anything else and changes nothing if If-Match is %s", async (_what, tag, message) => {
    const id = await orderIn("placed failed");
    const before = (await shop.client.get(`/v1/orders/${id}`)).body;
    for (const path of [`/v1/orders/${id}/fulfill`, `/v1/orders/${randomUUID()}/fulfill`]) {
      const response = await shop.client.post(path, {}, { "if-match": tag });
      expect(invalidFields(response)).toBe("If-Match");
      expect(response.body.error.details[0].message).toMatch(message);
    }
    expect((await shop.client.get(`/v1/orders/${id}`)).body).toEqual(before);
  });
});
