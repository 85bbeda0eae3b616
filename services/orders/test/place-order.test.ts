// POST /v1/orders: the response and the order number.
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "@jest/globals";
import { sql } from "kysely";
import { startTestOrders } from "./support/test-orders.ts";

const LINES_MAX = 500;
const ONE_LINE = [{ sku: "A-1", name: "Mug", unitPrice: 1 }];

const orders = await startTestOrders();
afterAll(() => orders.stop());

describe("placing an order", () => {
  test("commits at most two large orders of a tenant at a time, and small ones beside them", async () => {
    const { client, customerId, tenantId } = await orders.openShop();
    const items = Array.from({ length: 100 }, () => ONE_LINE[0]);
    const sizes = [...Array(12).fill(items), ONE_LINE, ONE_LINE];
    const placed = await Promise.all(sizes.map((items) => client.post("/v1/orders", { customerId, items })));
    expect(placed.map(({ status }) => status)).toEqual(sizes.map(() => 201));
    const { rows } = await sql<{ large: number }>`
      select count(*)::int as large from orders where tenant_id = ${tenantId} and total = 100 group by orders.xmin`.execute(
      orders.db,
    );
    expect(Math.max(...rows.map(({ large }) => large))).toBeLessThanOrEqual(2);
  });

  test("responds with every supplied value and the defaults, and reads the same again", async () => {
    const { client, customerId } = await orders.openShop();
    const supplied = {
      customerId,
      channel: "b2b_portal",
      currency: "EUR",
      propertyId: "shop-1",
      shippingTotal: 4.5,
      discountTotal: 1,
      shippingAddress: { line1: "1 Harbour Street", city: "Lisbon", floor: 3, geo: { lat: 38.7 } },
      billingAddress: { line1: "2 Hill", city: "Porto", zip: "4000" },
      customerNote: "ring twice",
      internalNote: "call before",
      orderNumber: "WEB-77",
      metadata: { source: "test", nested: { list: [1, null, true, "x"] }, empty: {} },
    };
    const line = {
      sku: "A-1",
      name: "Mug",
      quantity: 2,
      unitPrice: 10,
      taxAmount: 3.8,
      productId: randomUUID(),
      variantId: randomUUID(),
      description: "blue",
    };
    const { status, body, headers } = await client.post("/v1/orders", { ...supplied, items: [line] });
    const none = { fulfilledQuantity: 0, refundedQuantity: 0 };
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/orders/${body.data.id}`);
    expect(body).toEqual({
      success: true,
      data: {
        ...supplied,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        status: "placed",
        paymentStatus: "unpaid",
        items: [{ ...line, id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), subtotal: 20, ...none }],
        fulfillment: "none",
        shipments: [],
        subtotal: 20,
        taxTotal: 3.8,
        total: 27.3,
        paidTotal: 0,
        refundedTotal: 0,
        payableTotal: 27.3,
        amountDue: 27.3,
        allowedActions: ["payments", "fulfill", "cancel"],
        version: 1,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        placedAt: body.data.createdAt,
        updatedAt: body.data.createdAt,
      },
    });
    expect((await client.get(`/v1/orders/${body.data.id}`)).body).toEqual(body);
  });

  test("uses USD and admin as defaults, and leaves out other fields that were not supplied", async () => {
    const { client, customerId } = await orders.openShop();
    const { body } = await client.post("/v1/orders", { customerId, items: ONE_LINE });
    expect(body.data).toMatchObject({ currency: "USD", channel: "admin", orderNumber: "1001" });
    const optional = [
      "propertyId",
      "shippingAddress",
      "billingAddress",
      "customerNote",
      "internalNote",
      "metadata",
    ];
    for (const name of optional) expect(body.data).not.toHaveProperty(name);
  });

  test(`keeps the order of ${LINES_MAX} lines`, async () => {
    const { client, customerId } = await orders.openShop();
    const items = Array.from({ length: LINES_MAX }, (_, index) => ({
      sku: `S-${index}`,
      name: `Line ${index}`,
      quantity: index + 1,
      unitPrice: index / 100,
    }));
    const { body } = await client.post("/v1/orders", { customerId, items });
    const read = await client.get(`/v1/orders/${body.data.id}`);
    expect(read.body.data.items).toMatchObject(items);
    expect(new Set(read.body.data.items.map(({ id }: { id: string }) => id)).size).toBe(LINES_MAX);
    expect(read.body).toEqual(body);
  });

  test("skips thousands of supplied numbers at once", async () => {
    const { client, customerId, tenantId } = await orders.openShop();
    const imported = { first: 1001, last: 12_345 };
    await sql`
      insert into orders (tenant_id, id, order_number, customer_id, channel, currency,
                          subtotal, shipping_total, discount_total, tax_total, total)
      select ${tenantId}, gen_random_uuid(), number::text, ${customerId}, 'import', 'USD', 0, 0, 0, 0, 0
        from generate_series(${imported.first}::int, ${imported.last}::int) number`.execute(orders.db);
    for (const expected of [imported.last + 1, imported.last + 2]) {
      const { status, body } = await client.post("/v1/orders", { customerId, items: ONE_LINE });
      expect([status, body.data?.orderNumber]).toEqual([201, String(expected)]);
    }
  });

  test("lets only its tenant read an order, with the id in upper or lower case", async () => {
    const { client, customerId } = await orders.openShop();
    const stranger = await orders.openShop();
    const { id } = (await client.post("/v1/orders", { customerId, items: ONE_LINE })).body.data;
    expect((await client.get(`/v1/orders/${id.toUpperCase()}`)).body.data.id).toBe(id);
    expect((await stranger.client.get(`/v1/orders/${id}`)).status).toBe(404);
    const upperCase = { customerId: customerId.toUpperCase(), items: ONE_LINE };
    expect((await client.post("/v1/orders", upperCase)).body.data.customerId).toBe(customerId);
  });
});
