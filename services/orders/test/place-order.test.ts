// POST /v1/orders: the response and the order number, also under load on two replicas: no gaps after 1001, while other requests supply
// numbers.
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { insertOrders } from "./support/insert-orders.ts";
import { line, ownTestOrders, type TestShop } from "./support/test-orders.ts";

const LINES_MAX = 500;
const ORDERS = 200;

const orders = await ownTestOrders({ replicas: 2 });

describe("placing an order", () => {
  test("commits at most two large orders of a tenant at a time, and small ones beside them", async () => {
    const { client, order, tenantId } = await orders.openShop();
    const large = order({ items: Array(100).fill(line({ unitPrice: 1 })) });
    const sizes = [...Array(12).fill(large), order(), order()];
    const placed = await Promise.all(sizes.map((body) => client.post("/v1/orders", body)));
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
      orderNumber: "WEB-77",
      shippingTotal: 4.5,
      discountTotal: 1,
      customerNote: "ring twice",
      internalNote: "call before",
      shippingAddress: { line1: "1 Harbour Street", city: "Lisbon", floor: 3, geo: { lat: 38.7 } },
      billingAddress: { line1: "2 Hill", city: "Porto", zip: "4000" },
      metadata: { source: "test", nested: { list: [1, null, true, "x"] }, empty: {} },
    };
    const ids = { productId: randomUUID(), variantId: randomUUID() };
    const item = line({ quantity: 2, taxAmount: 3.8, description: "blue", ...ids });
    const { status, body, headers } = await client.post("/v1/orders", { ...supplied, items: [item] });
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
        fulfillment: "none",
        shipments: [],
        version: 1,
        items: [{ ...item, id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), subtotal: 20, ...none }],
        subtotal: 20,
        taxTotal: 3.8,
        total: 27.3,
        paidTotal: 0,
        refundedTotal: 0,
        payableTotal: 27.3,
        amountDue: 27.3,
        allowedActions: ["payments", "fulfill", "cancel"],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        placedAt: body.data.createdAt,
        updatedAt: body.data.createdAt,
      },
    });
    expect((await client.get(`/v1/orders/${body.data.id}`)).body).toEqual(body);
  });

  test("uses USD and admin as defaults, and leaves out other fields that were not supplied", async () => {
    const { client, order } = await orders.openShop();
    const { body } = await client.post("/v1/orders", order());
    expect(body.data).toMatchObject({ currency: "USD", channel: "admin", orderNumber: "1001" });
    for (const name of ["propertyId", "shippingAddress", "billingAddress"])
      expect(body.data).not.toHaveProperty(name);
    for (const name of ["customerNote", "internalNote", "metadata"])
      expect(body.data).not.toHaveProperty(name);
  });

  test(`keeps the order of ${LINES_MAX} lines`, async () => {
    const { client, order } = await orders.openShop();
    const items = Array.from({ length: LINES_MAX }, (_, index) =>
      line({ sku: `S-${index}`, name: `Line ${index}`, quantity: index + 1, unitPrice: index / 100 }),
    );
    const { body } = await client.post("/v1/orders", order({ items }));
    const read = await client.get(`/v1/orders/${body.data.id}`);
    expect(read.body.data.items).toMatchObject(items);
    expect(new Set(read.body.data.items.map(({ id }: { id: string }) => id)).size).toBe(LINES_MAX);
    expect(read.body).toEqual(body);
  });

  test("skips thousands of supplied numbers at once", async () => {
    const shop = await orders.openShop();
    await insertOrders(orders, shop, [1001, 12_345]);
    for (const expected of [12_346, 12_347]) {
      const { status, body } = await shop.client.post("/v1/orders", shop.order());
      expect([status, body.data?.orderNumber]).toEqual([201, String(expected)]);
    }
  });

  test("lets only its tenant read an order, with the id in upper or lower case", async () => {
    const { client, customerId, order } = await orders.openShop();
    const stranger = await orders.openShop();
    const { id } = (await client.post("/v1/orders", order())).body.data;
    expect((await client.get(`/v1/orders/${id.toUpperCase()}`)).body.data.id).toBe(id);
    expect((await stranger.client.get(`/v1/orders/${id}`)).status).toBe(404);
    const upperCase = order({ customerId: customerId.toUpperCase() });
    expect((await client.post("/v1/orders", upperCase)).body.data.customerId).toBe(customerId);
  });
});

describe("order numbers on two replicas", () => {
  const many = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index));
  const client = (shop: TestShop, index: number) =>
    shop.clientAt(orders.urls[index % orders.urls.length] ?? "");
  const place = async (shop: TestShop, index: number, orderNumber?: string) => {
    const { status, body } = await client(shop, index).post("/v1/orders", shop.order({ orderNumber }));
    return { status, code: body.error?.code, orderNumber: body.data?.orderNumber as string | undefined };
  };
  /** Returns the first numbers from 1001 that were not supplied. */
  const dense = (count: number, supplied = new Set<string | undefined>()) =>
    many(count + supplied.size, (index) => String(1001 + index))
      .filter((number) => !supplied.has(number))
      .slice(0, count);
  const ascending = (numbers: (string | undefined)[]) => numbers.toSorted((a, b) => Number(a) - Number(b));

  test(`${ORDERS} orders at once, with numbers supplied at the same time, leave no gap and no duplicate`, async () => {
    const shop = await orders.openShop();
    const first = ["1003", "1004", "1100", "INV-1", "01001"];
    for (const number of first) await place(shop, 0, number);
    // Every third number is supplied by one request, and some numbers by two.
    const wanted = many(ORDERS / 2, (index) => String(1002 + 3 * (index % 80)));
    const [generated, supplied] = await Promise.all([
      Promise.all(many(ORDERS, (index) => place(shop, index))),
      Promise.all(wanted.map((number, index) => place(shop, index, number))),
    ]);
    for (const { status, code } of generated) expect([status, code]).toEqual([201, undefined]);
    for (const { status, code } of supplied)
      expect(["201 undefined", "409 order_number_taken"]).toContain(`${status} ${code}`);
    const granted = supplied.flatMap(({ orderNumber }) => orderNumber ?? []);
    const taken = new Set<string | undefined>([...granted, ...first]);
    expect(taken.size).toBe(granted.length + first.length);
    expect(ascending(generated.map(({ orderNumber }) => orderNumber))).toEqual(dense(ORDERS, taken));
    expect(await shop.count("orders")).toBe(ORDERS + taken.size);
    expect((await place(shop, 0)).orderNumber).toBe(dense(ORDERS + 1, taken).at(-1));
  });

  test("imports, single orders and refused orders at once leave no gap and no duplicate", async () => {
    const shop = await orders.openShop();
    const list = many(30, (index) => {
      if (index % 3 === 0) return shop.order({ discountTotal: 99 });
      return shop.order(index % 5 === 0 ? { orderNumber: String(1010 + index) } : {});
    });
    const [imports, singles] = await Promise.all([
      Promise.all(many(4, (index) => client(shop, index).post("/v1/orders/bulk", { orders: list }))),
      Promise.all(
        many(40, (index) => place(shop, index, index % 4 === 0 ? String(1010 + index) : undefined)),
      ),
    ]);
    for (const { status } of imports) expect(status).toBe(200);
    const imported = imports.flatMap(({ body }) =>
      body.data.flatMap(({ data }: { data?: { orderNumber: string } }) => data?.orderNumber ?? []),
    );
    const numbers: string[] = [...imported, ...singles.flatMap(({ orderNumber }) => orderNumber ?? [])];
    expect(new Set(numbers).size).toBe(numbers.length);
    const next = Number((await place(shop, 0)).orderNumber);
    const taken = new Set(numbers);
    for (let number = 1001; number < next; number += 1) expect(taken).toContain(String(number));
  });
});
