import { invalidFields } from "@tradepost/testing";
import { sql } from "kysely";
import { insertOrders } from "./support/insert-orders.ts";
import { ownTestOrders, type TestShop } from "./support/test-orders.ts";

// More rows than a list or a count searches.
const MANY = 10_200;

const orders = await ownTestOrders();

const found = async ({ client }: TestShop, path: string, search: string, more = "") => {
  const { status, body } = await client.get(`${path}?search=${encodeURIComponent(search)}${more}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data as Record<string, string>[];
};
const ordersFound = async (shop: TestShop, search: string, more?: string) =>
  (await found(shop, "/v1/orders", search, more)).map(({ orderNumber }) => orderNumber);
const customersFound = async (shop: TestShop, search: string, more?: string) =>
  (await found(shop, "/v1/customers", search, more)).map(({ name }) => name);
const create = async ({ client }: TestShop, body: object) =>
  (await client.post("/v1/customers", body)).body.data.id as string;
const place = async (shop: TestShop, fields: object) => {
  const placed = await shop.client.post("/v1/orders", shop.order(fields));
  expect(placed.status).toBe(201);
  return placed.body.data.id as string;
};

describe("a search of orders", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await orders.openShop();
    const zoe = await create(shop, { name: "Zoë Müller", email: "zoe@Example.com", phone: "+351 210 000" });
    await place(shop, { externalId: "WEB-5012" });
    await place(shop, { customerId: zoe });
    await place(shop, { customerId: zoe, orderNumber: "B 77/é" });
    const stranger = await orders.openShop();
    const customerId = await create(stranger, { name: "Zoë Müller" });
    await place(stranger, { customerId, externalId: "WEB-5012" });
  });

  test.each([
    ["the number", "1001", ["1001"]],
    ["the beginning of a number", "100", ["1002", "1001"]],
    ["a supplied number's word, without its accent", "77/E", ["B 77/é"]],
    ["the external id", "web-5012", ["1001"]],
    ["a word within the external id", "5012", ["1001"]],
    ["the customer's name", "ZOE", ["B 77/é", "1002"]],
    ["the customer's e-mail", "zoe@example.c", ["B 77/é", "1002"]],
    ["the customer's phone without blanks", "+351210", ["B 77/é", "1002"]],
    ["words of the order and of the customer", " mueller   100 ", ["1002"]],
    ["a phone's last digits", "1210-000", ["B 77/é", "1002"]],
    ["a word of which only one of two matches", "zoe 5012", []],
    ["what stands within a word", "oe", []],
    ["an order of another tenant", "1003", []],
  ])("by %s", async (_, search, numbers) => expect(await ordersFound(shop, search)).toEqual(numbers));

  test("with other filters finds what matches all of them", async () => {
    expect(await ordersFound(shop, "zoe", "&orderNumber=1002")).toEqual(["1002"]);
    expect(await ordersFound(shop, "zoe", "&status=cancelled")).toEqual([]);
    expect(await ordersFound(shop, "zoe", `&customerId=${shop.customerId}`)).toEqual([]);
  });

  test("finds the tracking number that an order has now", async () => {
    const id = await place(shop, { externalId: "parcel" });
    const [number] = await ordersFound(shop, "parcel");
    await shop.client.post(`/v1/orders/${id}/fulfill`, { trackingNumber: "1Z 999-AA" });
    expect([await ordersFound(shop, "999"), await ordersFound(shop, "z999aa")]).toEqual([[number], [number]]);
    await shop.client.patch(`/v1/orders/${id}`, { trackingNumber: "RR1" });
    expect([await ordersFound(shop, "999"), await ordersFound(shop, "rr1")]).toEqual([[], [number]]);
    await shop.client.post(`/v1/orders/${id}/deliver`);
    expect([await ordersFound(shop, "rr1"), await ordersFound(shop, "parcel")]).toEqual([[number], [number]]);
  });

  test("finds the orders of a customer by its present words", async () => {
    const id = await create(shop, { name: "Before Change", phone: "1234" });
    await place(shop, { customerId: id, orderNumber: "change" });
    await shop.client.patch(`/v1/customers/${id}`, { name: "Áfter Change", phone: null });
    expect(await ordersFound(shop, "before")).toEqual([]);
    expect(await ordersFound(shop, "1234")).toEqual([]);
    expect(await ordersFound(shop, "after change")).toEqual(["change"]);
    await shop.client.patch(`/v1/customers/${id}`, { name: "AFTER CHANGE" });
    expect(await ordersFound(shop, "after change")).toEqual(["change"]);
  });

  test.each(["a", "x".repeat(101), "   ", "\u0301\u0301", "a b c d e f g h i"])(
    "of %j is 422",
    async (search) => {
      for (const path of ["/v1/orders", "/v1/customers"]) {
        const response = await shop.client.get(`${path}?search=${encodeURIComponent(search)}`);
        expect(invalidFields(response)).toBe("search");
      }
    },
  );

  test("takes 100 characters, and characters that patterns and queries give a meaning", async () => {
    const patterns = ["100%", "10_", "\\\\", "a:*", '"; --', "😀😀", "\u{10ffff}\u{10ffff}"];
    for (const search of ["x".repeat(100), "a b c d e f g h", ...patterns]) {
      expect([search, await ordersFound(shop, search)]).toEqual([search, []]);
      expect([search, await customersFound(shop, search)]).toEqual([search, []]);
    }
  });
});

describe("a search of customers", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await orders.openShop();
    const reachable = { email: "grace@navy.mil", phone: "(555) 01-02" };
    await create(shop, { name: "Grace Hopper", ...reachable, externalId: "crm-9" });
    await create(shop, { name: "Grace Kelly", email: "kelly@example.com" });
  });

  test.each([
    ["the name, the newest first", "grace", ["Grace Kelly", "Grace Hopper"]],
    ["the first and the last name", "hop GRA", ["Grace Hopper"]],
    ["the e-mail's domain", "navy", ["Grace Hopper"]],
    ["the phone's digits", "5550102", ["Grace Hopper"]],
    ["the external id, which is not searched", "crm-9", []],
  ])("by %s", async (_, search, names) => expect(await customersFound(shop, search)).toEqual(names));

  test("by the words that a PUT has left", async () => {
    for (const body of [{ name: "Put Once", email: "once@example.org" }, { name: "Put Twice" }])
      await shop.client.put("/v1/customers/by-external-id/p-1", body);
    expect(await customersFound(shop, "once")).toEqual([]);
    expect(await customersFound(shop, "twice")).toEqual(["Put Twice"]);
  });
});

test("what a row stores for the search is bounded, found by its beginning, and counts as bytes of events", async () => {
  const shop = await orders.openShop();
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz").join("!");
  const long = "0123456789".repeat(10);
  const email = `${letters}@example.com`.replaceAll("!", ".");
  const id = await create(shop, { name: `${letters} ${long}`, email });
  const stored = await sql<{ words: number; longest: number; text: number; bytes: number; data: number }>`
    select (select count(*) from customer_words where customer_id = ${id})::int as words,
           (select max(length(word)) from customer_words where customer_id = ${id}) as longest,
           (select octet_length(search_text) from customers where id = ${id}) as text,
           (select size_bytes from outbox where aggregate_id = ${id}
            union all select size_bytes from published_events where aggregate_id = ${id}) as bytes,
           (select octet_length(data::text) from outbox where aggregate_id = ${id}
            union all select octet_length(data::text) from published_events where aggregate_id = ${id}) as data`.execute(
    orders.db,
  );
  const [row] = stored.rows;
  expect(row).toMatchObject({ words: 32, longest: 40 });
  expect(row?.text).toBeLessThanOrEqual(32 * 41);
  expect((row?.bytes ?? 0) - (row?.data ?? 0)).toBeGreaterThan(32 * 150);
  expect(await customersFound(shop, long)).toEqual([`${letters} ${long}`]);
  expect(await customersFound(shop, long.slice(0, 50))).toEqual([`${letters} ${long}`]);
});

describe("among more rows than the walk reads", () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await orders.openShop();
    const rare = await create(shop, { name: "Rare Bird", email: "rare@example.com" });
    const old = [];
    for (let index = 0; index < 4; index += 1)
      old.push(await place(shop, { customerId: rare, orderNumber: `OLD-${index}` }));
    const others = sql`from generate_series(1, ${sql.lit(MANY)}) n`;
    await sql`insert into customers (tenant_id, id, name, search_text)
      select ${shop.tenantId}, gen_random_uuid(), 'Common ' || n, ' common ' || n ${others}`.execute(
      orders.db,
    );
    await sql`insert into customer_words (tenant_id, word, customer_id)
      select tenant_id, unnest(string_to_array(trim(search_text), ' ')), id from customers
       where tenant_id = ${shop.tenantId} and name like 'Common %'`.execute(orders.db);
    await insertOrders(orders, shop, [1, MANY], { search_text: sql`' ' || n` });
    await sql`insert into order_words (tenant_id, word, created_at, order_id)
      select tenant_id, order_number, created_at, id from orders
       where tenant_id = ${shop.tenantId} and order_number ~ '^[0-9]+$' on conflict do nothing`.execute(
      orders.db,
    );
  });

  test("a rare word of an old order's customer is found, page by page", async () => {
    const { body } = await shop.client.get("/v1/orders?search=rare&limit=3");
    const numbers = ({ data }: typeof body) =>
      data.map(({ orderNumber }: { orderNumber: string }) => orderNumber);
    expect(numbers(body)).toEqual(["OLD-3", "OLD-2", "OLD-1"]);
    const next = await shop.client.get(`/v1/orders?search=rare&limit=3&cursor=${body.page.nextCursor}`);
    expect([numbers(next.body), next.body.page.nextCursor]).toEqual([["OLD-0"], null]);
  });

  test("several words, of the order and of the customer, and other filters narrow", async () => {
    expect(await ordersFound(shop, "old bird example")).toEqual(["OLD-3", "OLD-2", "OLD-1", "OLD-0"]);
    expect(await ordersFound(shop, "old-2 rare")).toEqual(["OLD-2"]);
    expect(await ordersFound(shop, "rare", "&orderNumber=OLD-1")).toEqual(["OLD-1"]);
    expect(await ordersFound(shop, "rare", "&status=placed&limit=2")).toEqual(["OLD-3", "OLD-2"]);
    expect(await ordersFound(shop, "rare nobody")).toEqual([]);
  });

  test("a common word is found too", async () => {
    expect(await ordersFound(shop, "ada", "&limit=2")).toHaveLength(2);
    expect(await ordersFound(shop, "ada 10200")).toEqual(["10200"]);
  });

  test("a rare customer is found, and a common word page by page", async () => {
    expect(await customersFound(shop, "bird rare")).toEqual(["Rare Bird"]);
    expect(await customersFound(shop, "ada")).toEqual(["Ada"]);
    const { body } = await shop.client.get("/v1/customers?search=common&limit=100");
    expect([body.data.length, body.page.nextCursor]).toEqual([100, expect.any(String)]);
    expect(
      await customersFound(shop, "common 52", `&limit=100&cursor=${body.page.nextCursor}`),
    ).not.toContain("Ada");
  });

  test("the orders of a SKU are found by several searches, or at once with a rare word", async () => {
    const first = await shop.client.get("/v1/orders?sku=A-1");
    expect([first.body.data, first.body.page.nextCursor]).toEqual([[], expect.any(String)]);
    const next = await shop.client.get(`/v1/orders?sku=A-1&cursor=${first.body.page.nextCursor}`);
    expect([next.body.data.length, next.body.page.nextCursor]).toEqual([4, null]);
    expect(await ordersFound(shop, "old-2", "&sku=A-1")).toEqual(["OLD-2"]);
    expect(await ordersFound(shop, "old-2", "&sku=A")).toEqual([]);
    expect(await ordersFound(shop, "ada", "&sku=A&limit=2")).toHaveLength(2);
    const exported = await shop.client.get("/v1/orders/export?sku=A-1&format=ndjson");
    expect(exported.text.trim().split("\n")).toHaveLength(4);
  });

  test.each([
    ["orders", "", 1_000, true],
    ["orders", "search=rare&limit=1", 4, false],
    ["orders", "search=nobody", 0, false],
    ["orders", "orderNumber=OLD-1", 1, false],
    ["orders", "search=ada", 1_000, true],
    ["orders", "search=ada&placedBefore=2001-01-01T00:00:00Z", 0, false],
    ["orders", "sku=A-1", 0, true],
    ["orders", "sku=A-1&search=old", 4, false],
    ["customers", "", 1_000, true],
    ["customers", "search=rare", 1, false],
    ["customers", "search=common", 1_000, true],
    ["customers", "email=rare@example.com", 1, false],
  ])("a count of %s with %j is %d", async (path, filters, count, countIsMore) => {
    const { body } = await shop.client.get(`/v1/${path}?count=true&${filters}`);
    expect(body.page).toMatchObject({ count, countIsMore });
    expect((await shop.client.get(`/v1/${path}?${filters}`)).body.page).not.toHaveProperty("count");
  });
});
