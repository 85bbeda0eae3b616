// An assistant's story with the real clients of the Model Context Protocol. It finds a customer, places an order and records the
// payment. It may not refund on its own, but refunds with the user's confirmation. All changes are recorded under the key's name.
import { connectMcp, type McpClient, mcpClients } from "@tradepost/testing";
import { dataOf } from "../support/data-of.ts";
import { sharedPlatform, type TestTenant } from "../support/test-platform.ts";

const LABEL = "Ada's assistant";

const platform = await sharedPlatform();

describe("an assistant's story", () => {
  describe.each(mcpClients)("with a client of %s", (kind) => {
    let tenant: TestTenant;
    let assistant: McpClient;
    let orderId: string;
    beforeAll(async () => {
      tenant = await platform.createTenant();
      const scopes = ["read:crm", "write:crm", "read:content", "write:content"];
      const { key } = dataOf(await tenant.owner.post("/v1/api-keys", { label: LABEL, scopes }), 201);
      assistant = await connectMcp(platform.url, key, kind);
    });
    afterAll(() => assistant.close());

    const ok = async (name: string, args: Record<string, unknown> = {}) => {
      const result = await assistant.call(name, args);
      expect(result).toMatchObject({ isError: false });
      return result.data;
    };

    test("it learns who it is and what it may do", async () => {
      expect(assistant.instructions).toContain("untrusted_text");
      const me = await ok("whoami");
      expect(me.actor).toMatchObject({ type: "api_key", name: LABEL, role: "editor" });
      expect(me.tenant).toMatchObject({ id: tenant.tenantId, name: "Test Shop" });
      expect(me.missing).toEqual([]);
      expect((await assistant.listTools()).map(({ name }) => name).sort()).toEqual(me.tools.toSorted());
    });

    test("it finds the customer, and places an order that shows where it came from", async () => {
      const customer = { name: "Grace Hopper", email: "grace@example.com" };
      const { id } = dataOf(await tenant.owner.post("/v1/customers", customer), 201);
      const { customers } = await ok("find_customers", { email: "grace@example.com" });
      expect(customers).toMatchObject([{ id, name: { untrusted_text: "Grace Hopper" } }]);
      const order = {
        customer_id: id,
        items: [{ sku: "MUG-1", name: "Mug", quantity: 3, unit_price: 19.99 }],
        shipping_address: { line1: "1 Harbour Street", city: "Lisbon", postal_code: "1100-038" },
        request_key: "first-order",
      };
      const placed = await ok("place_order", order);
      expect(placed).toMatchObject({
        result: "placed",
        order: { channel: "mcp", total: 59.97, status: "placed" },
      });
      orderId = placed.order.id;
      const again = await assistant.call("place_order", order);
      expect(again.data).toMatchObject({ result: "already_placed", order: { id: orderId } });
      expect(again.summary).toContain("already placed");
      const shown = dataOf(await tenant.owner.get(`/v1/orders/${orderId}`), 200);
      expect(shown).toMatchObject({ channel: "mcp", shippingAddress: { postalCode: "1100-038" } });
    });

    test("it records the payment", async () => {
      const paid = await ok("record_payment", { order_id: orderId, status: "succeeded", reference: "pay-1" });
      expect(paid.order).toMatchObject({
        payment_status: "paid",
        allowed_actions: ["fulfill_order", "cancel_order with refund", "refund_order"],
      });
    });

    test("it waits until something happens to an order, and goes on from there", async () => {
      const order = { customerId: tenant.customerId, items: [{ sku: "A", name: "A" }] };
      const { id } = dataOf(await tenant.key.post("/v1/orders", order), 201);
      const { page } = (await tenant.key.get("/v1/orders/events?after=now")).body;
      const args = { types: ["order.updated"], resource_id: id };
      const waiting = ok("wait_for_event", { ...args, after: { orders: page.nextCursor } });
      dataOf(await tenant.owner.patch(`/v1/orders/${id}`, { customerNote: "Ring twice" }), 200);
      const { events, cursors } = await waiting;
      expect(events).toMatchObject([{ type: "order.updated", data: { untrusted_text: expect.any(String) } }]);
      dataOf(await tenant.owner.patch(`/v1/orders/${id}`, { customerNote: null }), 200);
      const next = await ok("wait_for_event", { ...args, after: cursors });
      expect(next.events).toHaveLength(1);
      expect(next.events[0].id).not.toBe(events[0].id);
    });

    test("it ships the order", async () => {
      await ok("fulfill_order", { order_id: orderId, tracking_number: "TRACK 1", carrier: "Post" });
    });

    test("it refunds with the confirmation, once", async () => {
      const { order } = await ok("get_order", { order_id: orderId });
      const ofLine = { order_id: orderId, lines: [{ line_id: order.items[0].line_id, quantity: 1 }] };
      const asked = await ok("refund_order", ofLine);
      expect([asked.amount, asked.amount_before_rounding]).toEqual([undefined, 19.99]);
      const part = await ok("refund_order", { ...ofLine, confirm: asked.confirm });
      expect(part.order).toMatchObject({ refunded_total: 19.99, payment_status: "partially_refunded" });
      const { confirm, amount } = await ok("refund_order", { order_id: orderId, reason: "The handle broke" });
      expect(amount).toBe(39.98);
      const confirmed = { order_id: orderId, reason: "The handle broke", confirm };
      expect(await ok("refund_order", confirmed)).toMatchObject({
        result: "done",
        order: { payment_status: "refunded" },
      });
      expect(await ok("refund_order", confirmed)).toMatchObject({ result: "already_done" });
      const more = await assistant.call("refund_order", { order_id: orderId });
      expect(more).toMatchObject({ isError: true, data: { code: "nothing_to_refund" } });
    });

    test("the timeline shows every step under the key's name", async () => {
      const { order, timeline, payments } = await ok("get_order", { order_id: orderId, detail: "full" });
      expect(order).toMatchObject({ refunded_total: 59.97, tracking_number: { untrusted_text: "TRACK 1" } });
      expect(timeline.map(({ type }: { type: string }) => type)).toEqual([
        "order.refunded",
        "order.refunded",
        "order.fulfilled",
        "order.paid",
        "order.placed",
      ]);
      for (const { actor } of timeline) expect(actor).toEqual({ type: "api_key", name: LABEL });
      expect(timeline[0].refund.reason).toEqual({ untrusted_text: "The handle broke" });
      expect(payments).toMatchObject([
        { kind: "refund", amount: 39.98 },
        { kind: "refund", amount: 19.99 },
        { kind: "payment", status: "succeeded", reference: "pay-1" },
      ]);
      const overHttp = dataOf(await tenant.owner.get(`/v1/orders/${orderId}/timeline`), 200);
      expect(overHttp.map(({ actor }: { actor: { name: string } }) => actor.name)).toEqual(
        Array(5).fill(LABEL),
      );
      const { changes, actor } = dataOf(
        await tenant.owner.get("/v1/audit-log?action=api_key.created"),
        200,
      )[0];
      expect([actor.type, changes.label]).toEqual(["user", LABEL]);
    });
  });
});
