// Erasing a customer (interface §20). tests/stories/erasure.test.ts tests the other services.

import { randomUUID } from "node:crypto";
import { dataMap, type Erasure, type MappedTable } from "@tradepost/data-map";
import { captureMessages, findWords, until } from "@tradepost/testing";
import { sql } from "kysely";
import { line, ownTestOrders, readFeed, startTestOrders, type TestShop } from "./support/test-orders.ts";

/** The words of a person whom no other test has. */
const wordsOf = () => {
  const word = () => `zq${randomUUID().replaceAll("-", "").slice(0, 14)}`;
  return {
    ...{ name: word(), email: word(), phone: word(), externalId: word(), metadata: word() },
    ...{ line: word(), city: word(), note: word(), internal: word(), orderMetadata: word(), reason: word() },
  };
};
type Words = ReturnType<typeof wordsOf>;

/** As the gateway does, takes the entries of the audit log from the broker. */
const takeAuditEntries = (amqpUrl: string) => captureMessages(amqpUrl, "#", { exchange: "platform.audit" });

const orders = await ownTestOrders();
const audit = await takeAuditEntries(orders.amqpUrl);
orders.beforeStop(audit.stop);

const customerOf = (words: Words) => ({
  name: `Ada ${words.name}`,
  email: `${words.email}@example.com`,
  phone: `+1 555 ${words.phone}`,
  externalId: words.externalId,
  metadata: { seen: words.metadata },
});
const addressOf = (words: Words) => ({ line1: words.line, city: words.city, country: "PT", zip: words.city });
const orderOf = (words: Words, customerId: string) => ({
  customerId,
  items: [line({ quantity: 2, unitPrice: 5 })],
  metadata: { gift: words.orderMetadata },
  shippingAddress: addressOf(words),
  billingAddress: { line1: words.line, city: words.city },
  customerNote: words.note,
  internalNote: words.internal,
});

const erase = (shop: TestShop, customerId: string) => shop.client.post(`/v1/customers/${customerId}/erasure`);

async function eraseAll(shop: TestShop, customerId: string) {
  const { status, body } = await erase(shop, customerId);
  expect([status, body.data.customerId]).toEqual([202, customerId]);
  return await untilErased(shop, body.data.id);
}

const readCustomer = async (shop: TestShop, id = shop.customerId) =>
  (await shop.client.get(`/v1/customers/${id}`)).body.data;
const readOrder = async (shop: TestShop, id: string) => (await shop.client.get(`/v1/orders/${id}`)).body.data;

const untilErased = (shop: TestShop, id: string) =>
  until("the end of the erasure", async () => {
    const { body } = await shop.client.get(`/v1/erasures/${id}`);
    return body.data.status === "finished" && body.data;
  });

/** The customer, and their orders in several states. */
async function openLife(shop: TestShop, words: Words) {
  const { client } = shop;
  const made = async (path: string, body: unknown, key?: string) => {
    const response = await client.post(path, body, key ? { "idempotency-key": key } : {});
    if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
    return response.body.data;
  };
  const { id: customerId } = await made("/v1/customers", customerOf(words), "c");
  await client.patch(`/v1/customers/${customerId}`, { name: `Grace ${words.name}` });
  const body = orderOf(words, customerId);
  const placed = await made("/v1/orders", body, "o");
  const refunded = await made("/v1/orders", { ...body, externalId: "shop-1" });
  await made(`/v1/orders/${refunded.id}/payments`, { status: "succeeded", reference: "pay-1" }, "p");
  const lines = [{ lineId: refunded.items[0].id, quantity: 1 }];
  for (const trackingNumber of ["TRACK-1", "TRACK-2"])
    await made(`/v1/orders/${refunded.id}/fulfill`, { lines, trackingNumber });
  const refund = { lines, amount: 4, reason: words.reason, reference: "re-1" };
  await made(`/v1/orders/${refunded.id}/refund`, refund);
  const cancelled = await made("/v1/orders", body);
  await made(`/v1/orders/${cancelled.id}/cancel`, { reason: words.reason }, "x");
  const both = { orders: [body, shop.order({ metadata: { exact: 1 } })] };
  const bulk = await made("/v1/orders/bulk", both, "b");
  await client.patch(`/v1/orders/${placed.id}`, { customerNote: `again ${words.note}` });
  const plain = await made("/v1/orders", shop.order({ customerId }));
  return {
    customerId,
    orderIds: [placed.id, refunded.id, cancelled.id, bulk[0].data.id, plain.id] as string[],
    otherOrderId: bulk[1].data.id as string,
    placed,
    refunded,
    body,
    both,
  };
}

describe("an erasure", () => {
  test("leaves no word of the person, for the search neither, and all amounts, lines, references and dates", async () => {
    const shop = await orders.openShop();
    const words = wordsOf();
    const life = await openLife(shop, words);
    const read = () => Promise.all(life.orderIds.map((id) => readOrder(shop, id)));
    // A word that the customer no longer has.
    await sql`insert into customer_words (tenant_id, word, customer_id)
              values (${shop.tenantId}, ${`former${words.name}`}, ${life.customerId})`.execute(orders.db);
    const before = await read();
    const other = await readOrder(shop, life.otherOrderId);
    const path = "/v1/orders/statistics?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z&by=month";
    const statistics = await shop.client.get(path);
    expect(await findWords(orders.databaseUrl, Object.values(words))).not.toEqual([]);

    const { rows } = await eraseAll(shop, life.customerId);
    expect(rows).toBeGreaterThan(10);
    expect(await findWords(orders.databaseUrl, Object.values(words))).toEqual([]);

    expect(await readCustomer(shop, life.customerId)).toEqual({
      id: life.customerId,
      name: "Erased customer",
      version: 3,
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String), erasedAt: expect.any(String) },
    });
    const after = await read();
    const texts = {
      ...{ shippingAddress: undefined, billingAddress: undefined, customerNote: undefined },
      ...{ internalNote: undefined, metadata: undefined, cancelReason: undefined },
    };
    expect(after.map((order) => ({ ...order, ...texts }))).toEqual(
      before.map((order) => ({
        ...{ ...order, ...texts },
        ...{ version: order.version + 1, updatedAt: expect.any(String) },
      })),
    );
    const { shippingAddress, billingAddress } = after[0];
    expect([shippingAddress, billingAddress]).toEqual([{ line1: "", city: "", country: "PT" }, undefined]);
    expect(await readOrder(shop, life.otherOrderId)).toEqual(other);
    // The figures stay.
    expect((await shop.client.get(path)).body).toEqual(statistics.body);
    const payments = await shop.client.get(`/v1/orders/${life.refunded.id}/payments`);
    expect(payments.body.data).toMatchObject([
      { kind: "refund", amount: 4, reference: "re-1", reason: null },
      { kind: "payment", amount: 10, reference: "pay-1" },
    ]);
  });

  test("lowers the bytes of the kept events by what it erased of them", async () => {
    const shop = await orders.openShop();
    const { customerId } = await openLife(shop, wordsOf());
    const expectCounted = async () => {
      await until("all events are published", async () => (await shop.count("outbox")) === 0);
      const { rows } = await sql<{ bytes: number }>`
        select sum(size_bytes)::int as bytes from published_events where tenant_id = ${shop.tenantId}`.execute(
        orders.db,
      );
      const counted = (await shop.client.get("/internal/usage")).body.data.bytes.eventBytes;
      expect(counted).toBe(rows[0]?.bytes);
    };
    await expectCounted();
    await eraseAll(shop, customerId);
    await expectCounted();
  });

  test("is in the timeline and the change feeds, whose earlier events show nothing of the person", async () => {
    const shop = await orders.openShop();
    const words = wordsOf();
    const { customerId, orderIds } = await openLife(shop, words);
    await eraseAll(shop, customerId);
    const [placedId = ""] = orderIds;
    const timeline = (await shop.client.get(`/v1/orders/${placedId}/timeline`)).body.data;
    expect(timeline[0]).toMatchObject({
      type: "order.updated",
      changed: expect.arrayContaining(["shippingAddress", "billingAddress", "customerNote", "metadata"]),
      actor: { type: "user" },
    });
    const [customers, ofOrders] = await until("the events", async () => {
      const [first, second] = await Promise.all([readFeed(shop, "customers"), readFeed(shop, "orders")]);
      const isLast = first.at(-1)?.data.customer.erasedAt !== undefined;
      return isLast && second.filter(({ type }) => type === "order.updated").length === 7 && [first, second];
    });
    const lastOf = (id: string) => ofOrders.filter(({ data }) => data.order.id === id).at(-1).data.order;
    for (const id of orderIds) {
      const { internalNote: _, ...order } = await readOrder(shop, id);
      expect(lastOf(id)).toEqual(order);
    }
    const customer = await readCustomer(shop, customerId);
    expect(customers.at(-1)).toMatchObject({ type: "customer.erased", data: { customer } });
    const text = JSON.stringify([timeline, customers, ofOrders]);
    for (const word of Object.values(words)) expect(text).not.toContain(word);
  });

  test("is in responses that are sent again, which do not bring the person back", async () => {
    const shop = await orders.openShop();
    const words = wordsOf();
    const { customerId, placed, body, both, orderIds } = await openLife(shop, words);
    await eraseAll(shop, customerId);
    const repeat = async (path: string, body: unknown, key: string) => {
      const response = await shop.client.post(path, body, { "idempotency-key": key });
      expect(response.headers.get("idempotent-replayed")).toBe("true");
      for (const word of Object.values(words)) expect(response.text).not.toContain(word);
      return response;
    };
    const { status, body: created } = await repeat("/v1/customers", customerOf(words), "c");
    const erased = { id: customerId, name: "Erased customer", version: 1 };
    expect([status, created.data]).toMatchObject([201, erased]);
    const again = await repeat("/v1/orders", body, "o");
    expect(again.body.data).toMatchObject({ id: placed.id, total: 10, orderNumber: placed.orderNumber });
    await repeat(`/v1/orders/${orderIds[1]}/payments`, { status: "succeeded", reference: "pay-1" }, "p");
    await repeat(`/v1/orders/${orderIds[2]}/cancel`, { reason: words.reason }, "x");
    const bulk = await repeat("/v1/orders/bulk", both, "b");
    expect(bulk.body.data[1].data.metadata).toEqual({ exact: 1 });
  });

  test("erases every column that the data map calls the person's", async () => {
    const shop = await orders.openShop();
    const words = wordsOf();
    const { customerId } = await openLife(shop, words);
    await until("an event with a word", () => parkCopyOfEvent(shop, words.name));
    // A column without a word here would pass although nothing erases it: let openLife, or this test, write a word there.
    expect(await columnsWith(shop, Object.values(words))).toEqual(COLUMNS.map(({ column }) => column));
    // All customers of the tenant, so that every row belongs to an erased person.
    for (const id of [customerId, shop.customerId]) await eraseAll(shop, id);
    expect(await columnsWith(shop, Object.values(words))).toEqual([]);
    for (const { table, column, erasure, name } of COLUMNS) {
      const { rows } = await sql<{ left: string | null }>`
        select distinct ${sql.ref(name)}::text as left from ${sql.table(table)}
         where tenant_id = ${shop.tenantId}`.execute(orders.db);
      const left = rows.map(({ left }) => left);
      const { [erasure]: allowed = left } = LEFT;
      expect([column, left.filter((value) => !allowed.includes(value))]).toEqual([column, []]);
    }
  });
});

/** The columns with a person in them, by the data map. */
const COLUMNS = Object.entries<MappedTable>(dataMap.orders)
  .flatMap(([table, { person = {} }]) =>
    Object.entries(person).map(([name, erasure]) => ({ table, name, erasure, column: `${table}.${name}` })),
  )
  .sort((one, other) => (one.column < other.column ? -1 : 1));

/** The values, as texts, that the columns have after an erasure. Rewritten and computed columns are left out. */
const LEFT: Partial<Record<Erasure, readonly (string | null)[]>> = {
  "set to null": [null],
  renamed: ["Erased customer"],
  "country kept": [null, '{"line1":"","city":"","country":"PT"}'],
  emptied: [""],
  "rows deleted": [],
};

async function columnsWith(shop: TestShop, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column, name } of COLUMNS) {
    const { rows } = await sql`
      select from ${sql.table(table)}
       where tenant_id = ${shop.tenantId} and ${sql.ref(name)}::text ilike any(${words.map((word) => `%${word}%`)})
       limit 1`.execute(orders.db);
    if (rows.length > 0) found.push(column);
  }
  return found;
}

/** Copies a published event that has the word into the outbox; the relay does not publish the copy. Returns false if none is published. */
async function parkCopyOfEvent({ tenantId }: TestShop, word: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at)
    select gen_random_uuid(), aggregate_id, type, tenant_id, request_id, traceparent, actor, data, now()
      from published_events
     where tenant_id = ${tenantId} and strpos(data::text, ${word}) > 0
     limit 1`.execute(orders.db);
  return numAffectedRows === 1n;
}

describe("the request", () => {
  test("is answered with the first erasure if it is repeated", async () => {
    const shop = await orders.openShop();
    const first = await erase(shop, shop.customerId);
    const second = await erase(shop, shop.customerId);
    expect([second.status, second.body.data.id]).toEqual([202, first.body.data.id]);
    const finished = await untilErased(shop, first.body.data.id);
    const etag = { "if-match": '"1"' };
    const third = await shop.client.post(`/v1/customers/${shop.customerId}/erasure`, undefined, etag);
    expect([third.status, third.body.data]).toEqual([202, finished]);
  });

  test("writes an entry of the audit log, and both lists before anything is erased", async () => {
    const alone = await startTestOrders();
    try {
      const shop = await alone.openShop();
      const { body } = await erase(shop, shop.customerId);
      const list = await sql`
        select from erased_customers
         where customer_digest = sha256(uuid_send(${shop.tenantId}::uuid) || uuid_send(${shop.customerId}::uuid))`.execute(
        alone.db,
      );
      expect(list.rows).toHaveLength(1);
      // Nobody takes audit entries yet: the broker returns them.
      await until("a try to publish the entry", async () => {
        const { rows } = await sql<{ attempts: number }>`
          select attempts from outbox where type = 'audit.customer.erased'`.execute(alone.db);
        return (rows[0]?.attempts ?? 0) > 1;
      });
      expect(await readCustomer(shop)).toMatchObject({ name: "Ada", erasedAt: expect.any(String) });
      const patch = await shop.client.patch(`/v1/customers/${shop.customerId}`, { name: "Grace" });
      expect([patch.status, patch.body.error.code]).toEqual([409, "customer_erased"]);
      const { stop } = await takeAuditEntries(alone.amqpUrl);
      await untilErased(shop, body.data.id);
      expect(await readCustomer(shop)).toMatchObject({ name: "Erased customer" });
      await stop();
    } finally {
      await alone.stop();
    }
  });
});

describe("an erased customer", () => {
  test("is not changed, and their orders get no texts, but may be paid and shipped", async () => {
    const shop = await orders.openShop();
    const words = wordsOf();
    const { client } = shop;
    const { id } = (await client.post("/v1/customers", customerOf(words))).body.data;
    const body = orderOf(words, id);
    const placed = (await client.post("/v1/orders", body)).body.data;
    const paid = (await client.post("/v1/orders", body)).body.data;
    await client.post(`/v1/orders/${paid.id}/payments`, { status: "succeeded" });
    await eraseAll(shop, id);
    const order = `/v1/orders/${placed.id}`;
    const refused = await Promise.all([
      client.patch(`/v1/customers/${id}`, { name: words.name }),
      client.patch(`/v1/customers/${id}`, {}),
      client.post("/v1/orders", body),
      client.patch(order, { customerNote: words.note }),
      client.patch(order, { internalNote: words.internal }),
      client.patch(order, { metadata: {} }),
      client.patch(order, { shippingAddress: addressOf(words) }),
      client.patch(order, { billingAddress: null }),
      client.post(`${order}/cancel`, { reason: words.reason }),
      client.post(`/v1/orders/${paid.id}/refund`, { reason: words.reason }),
    ]);
    expect(refused.map(({ status, body }) => [status, body.error?.code])).toEqual(
      refused.map(() => [409, "customer_erased"]),
    );
    for (const query of ["", "?dryRun=true"]) {
      const { status, body: bulk } = await client.post(`/v1/orders/bulk${query}`, { orders: [body] });
      expect([status, bulk.data[0].error.code]).toEqual([200, "customer_erased"]);
    }
    const allowed = [
      await client.post(`${order}/payments`, { status: "succeeded", reference: "late" }),
      await client.post(`${order}/fulfill`, { trackingNumber: "1Z9", carrier: "UPS" }),
      await client.patch(order, { trackingNumber: "1Z8" }),
      await client.post(`${order}/refund`, { amount: 1 }),
      await client.post(`/v1/orders/${paid.id}/refund`, {}),
      await client.post(`/v1/orders/${paid.id}/cancel`),
    ];
    expect(allowed.map(({ status }) => status)).toEqual(allowed.map(() => 200));
    expect(await findWords(orders.databaseUrl, Object.values(words))).toEqual([]);
    // The external id is free.
    const anew = await client.put(`/v1/customers/by-external-id/${words.externalId}`, { name: "New" });
    expect([anew.status, anew.body.data.id === id]).toEqual([201, false]);
  });
});

describe("what happens at the same moment", () => {
  test("an order that is being placed is erased too", async () => {
    const shop = await orders.openShop();
    const words = wordsOf();
    const { id } = (await shop.client.post("/v1/customers", customerOf(words))).body.data;
    await shop.client.post("/v1/orders", shop.order());
    const release = await orders.lockOrderNumbers(shop.tenantId);
    const placing = shop.client.post("/v1/orders", orderOf(words, id));
    await orders.waiting(1);
    const erasing = erase(shop, id);
    // The erasure waits for the order, which has locked the customer.
    await orders.waiting(2);
    await release();
    expect((await placing).status).toBe(201);
    const { body } = await erasing;
    await untilErased(shop, body.data.id);
    expect(await findWords(orders.databaseUrl, Object.values(words))).toEqual([]);
  });

  test("an order that waits for the erasure is refused", async () => {
    const shop = await orders.openShop();
    const eraser = await orders.connect();
    await eraser.query("begin");
    const values = [shop.tenantId, shop.customerId];
    await eraser.query("select from customers where tenant_id = $1 and id = $2 for update", values);
    const placing = shop.client.post("/v1/orders", shop.order());
    await orders.waiting(1);
    await eraser.query("update customers set erased_at = now() where tenant_id = $1 and id = $2", values);
    await eraser.query("commit");
    const { status, body } = await placing;
    expect([status, body.error.code]).toEqual([409, "customer_erased"]);
  });

  test("changes of the customer and their orders lose, or are erased too", async () => {
    const shop = await orders.openShop();
    const { client } = shop;
    const all: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const words = wordsOf();
      all.push(...Object.values(words));
      const { id } = (await client.post("/v1/customers", customerOf(words))).body.data;
      const placed = (await client.post("/v1/orders", orderOf(words, id))).body.data;
      const paid = (await client.post("/v1/orders", shop.order({ customerId: id }))).body.data;
      const payment = { status: "succeeded", reference: "p" };
      await client.post(`/v1/orders/${paid.id}/payments`, payment);
      const change = (number: number) => [
        client.patch(`/v1/customers/${id}`, { name: `${words.name} ${number}` }),
        client.patch(`/v1/orders/${placed.id}`, { customerNote: `${words.note} ${number}` }),
        client.patch(`/v1/orders/${paid.id}`, { internalNote: `${words.internal} ${number}` }),
        client.post("/v1/orders", orderOf(words, id), { "idempotency-key": `${id}-${number}` }),
        client.post(`/v1/orders/${paid.id}/refund`, { amount: 1, reason: words.reason }),
        client.post(`/v1/orders/${paid.id}/payments`, payment, { "idempotency-key": `${paid.id}-${number}` }),
      ];
      const changes = [change(1), change(2)].flat();
      const erasing = erase(shop, id);
      const responses = await Promise.all([...changes, ...change(3), ...change(4)]);
      for (const { status, body } of responses) {
        expect([200, 201, "customer_erased"]).toContain(status === 409 ? body.error.code : status);
      }
      await untilErased(shop, (await erasing).body.data.id);
    }
    expect(await findWords(orders.databaseUrl, all)).toEqual([]);
  });
});
