// Prepared statements find rows by an index, even with plans that were made for nearly empty tables.
import { randomUUID } from "node:crypto";
import { captureMessages, multiplyRows, recordStatements, until } from "@tradepost/testing";
import type pg from "pg";
import { ownTestOrders, type TestShop } from "./support/test-orders.ts";

const ROWS = 20_000;

const orders = await ownTestOrders();
const recorder = await recordStatements(orders.databaseUrl);
orders.beforeStop(recorder.stop);

test("statements prepared on small tables read few rows of large ones", async () => {
  await useService();
  const reads = await recorder.largeReads(fill);
  expect(reads.filter(({ text }) => !isList(text) && !isScan(text) && !countsAll(text))).toEqual([]);
  for (const part of [
    "into orders",
    "into published_events",
    "idempotency_records",
    "from outbox",
    "order_changes",
    "xid < pg_snapshot_xmin",
    "xid desc",
    "pg_sequence_last_value",
    ...ERASURE,
  ]) {
    expect(recorder.texts().find((text) => text.includes(part))).toBeDefined();
  }
});

// Reports whether a statement reads a list. Several indexes suit a list while the table is small, so until the next analyze an
// old plan may read all rows of the tenant.
function isList(text: string): boolean {
  return text.includes("order by created_at desc");
}

/** Each of these texts is in a statement of a different step of an erasure. */
const ERASURE = [
  "update customers set name",
  "id limit 20 for no key update",
  'as "isFull"',
  "case when strpos(answer",
];

/** The quota sums up the events that wait for the broker. An admin's request counts rows, at most once a minute. */
function countsAll(text: string): boolean {
  return text.includes("from event_bytes") || text.includes("count(*) from customers");
}

/** An erasure goes through the words and the recorded responses of a tenant, some thousands at a time. */
function isScan(text: string): boolean {
  return text.includes('as "isFull"') || text.includes("case when strpos(answer");
}

test("the lists of orders and customers, with each filter, read few rows of a large tenant", async () => {
  const shop = await orders.openShop();
  await fillTenant(shop);
  const replica = await orders.startReplica({ ORDERS_DATABASE_URL: recorder.through(orders.serviceUrl) });
  const client = shop.clientAt(replica.url);
  const ids = `ids=${Array.from({ length: 100 }, () => randomUUID()).join(",")}`;
  const updated = [
    `updatedAfter=${at(ROWS + 5)}`,
    `updatedAfter=${at(10)}`,
    `updatedBefore=${at(30)}`,
    `updatedBefore=${at(3_000)}`,
    `updatedAfter=${at(500)}&updatedBefore=${at(3_000)}`,
  ];
  const filters = [
    "status=cancelled",
    "status=cancelled,delivered",
    "status=placed,fulfilled",
    "paymentStatus=paid",
    "paymentStatus=failed,paid",
    "fulfillment=none",
    "fulfillment=part",
    "channel=mcp",
    "channel=admin",
    `customerId=${randomUUID()}`,
    "propertyId=site-7",
    "externalId=E-7",
    "orderNumber=7",
    ids,
    `createdAfter=${at(ROWS - 10)}`,
    `createdBefore=${at(10)}`,
    ...updated,
    `status=placed&updatedAfter=${at(ROWS + 5)}&updatedBefore=${at(ROWS + 9)}`,
    "sort=placedAt",
    "sort=placedAt&status=cancelled",
    "sort=placedAt&channel=import",
    `sort=placedAt&placedBefore=${at(-ROWS / 2)}`,
    ...["sort=placedAt", "sort=createdAt"].flatMap((sort) => [
      `${sort}&placedAfter=${at(ROWS - 10)}`,
      `${sort}&placedAfter=${at(10)}&placedBefore=${at(50)}`,
    ]),
    ...[`${at(ROWS / 2)}`, `${at(-ROWS / 2)}`, `${at(2 * ROWS)}`].map(
      (time) =>
        `sort=placedAt&cursor=${Buffer.from(`${time} ${randomUUID()} placedAt`).toString("base64url")}`,
    ),
  ];
  const cursor = Buffer.from(`${at(ROWS / 2)} ${randomUUID()}`).toString("base64url");
  for (const filter of [...filters, ...filters.slice(0, 2).map((first) => `${first}&cursor=${cursor}`)]) {
    expect([filter, (await client.get(`/v1/orders?${filter}`)).status]).toEqual([filter, 200]);
  }
  const customerFilters = ["externalId=C-7", "email=C-7@example.com", ids, ...updated];
  for (const filter of customerFilters) {
    expect([filter, (await client.get(`/v1/customers?${filter}`)).status]).toEqual([filter, 200]);
  }
  await replica.stop();
  const lists = recorder.texts().filter(isList);
  expect(lists.filter((text) => text.includes('from "orders"'))).toHaveLength(filters.length + 2);
  // The first test has sent one more list, without a filter.
  expect(lists.filter((text) => text.includes('from "customers"'))).toHaveLength(customerFilters.length + 1);
  expect(await recorder.largeReadsByValue()).toEqual([]);
});

test("a page of a feed reads few rows, however many the other feed has before it", async () => {
  const own = await recordStatements(orders.databaseUrl);
  const [first, second] = [await orders.openShop(), await orders.openShop()];
  const replica = await orders.startReplica({ ORDERS_DATABASE_URL: own.through(orders.serviceUrl) });
  await first.clientAt(replica.url).get("/v1/orders/events?limit=1");
  await second.clientAt(replica.url).get("/v1/customers/events?limit=1");
  await replica.stop();
  const reads = await own.largeReads(async (owner) => {
    for (const [tenantId, type] of [
      [first.tenantId, "customer.updated"],
      [first.tenantId, "order.updated"],
      [second.tenantId, "order.updated"],
      [second.tenantId, "customer.updated"],
    ])
      await owner.query(
        `insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor, data)
         select n, gen_random_uuid(), gen_random_uuid(), $2, $1, now(), 'request-1', '', '{}', '{}'
           from generate_series(1, ${ROWS}) n`,
        [tenantId, type],
      );
  });
  await own.stop();
  const texts = own.texts().filter((text) => text.includes("xid < pg_snapshot_xmin"));
  const ofOrders = texts.map((text) => text.includes("type not like 'customer.%'"));
  expect(new Set(ofOrders)).toEqual(new Set([true, false]));
  expect(reads).toEqual([]);
});

/** Returns the time of an order by its position in the table. */
function at(position: number): string {
  return new Date(Date.parse("2026-01-01T00:00:00Z") + position * 60_000).toISOString();
}

/**
 * Inserts orders and customers of one tenant, a minute apart. Every thousandth was changed after all others. Almost all orders
 * are placed and unpaid. Then as many orders were imported in an hour, each placed a minute before another and before the first order.
 */
async function fillTenant({ tenantId, customerId }: TestShop): Promise<void> {
  const owner = await orders.connect();
  await owner.query("set session_replication_role = replica");
  await owner.query(
    `insert into orders (tenant_id, id, order_number, customer_id, channel, currency, subtotal, shipping_total, discount_total,
                         tax_total, total, property_id, external_id, status, payment_status, created_at, updated_at)
     select $1, gen_random_uuid(), n, $2, 'admin', 'USD', 0, 0, 0, 0, 0, 'site-' || n % 1000, 'E-' || n,
            case when n % 1000 = 7 then 'cancelled' else 'placed' end,
            case when n % 1000 = 9 then 'paid' else 'unpaid' end,
            $3::timestamptz + n * interval '1 minute',
            $3::timestamptz + case when n % 1000 = 5 then ${ROWS} + n / 1000 else n end * interval '1 minute'
       from generate_series(1, ${ROWS}) n`,
    [tenantId, customerId, at(0)],
  );
  await owner.query(
    `insert into orders (tenant_id, id, order_number, customer_id, channel, currency, subtotal, shipping_total, discount_total,
                         tax_total, total, created_at, updated_at, placed_at)
     select $1, gen_random_uuid(), -n, $2, 'import', 'USD', 0, 0, 0, 0, 0, moment, moment, $3::timestamptz - n * interval '1 minute'
       from (select n, $4::timestamptz + n * interval '0.1 s' as moment from generate_series(1, ${ROWS}) n) imported`,
    [tenantId, customerId, at(0), at(ROWS + 60)],
  );
  await owner.query("insert into order_counters (tenant_id, next_number, dated_since) values ($1, 1, $2)", [
    tenantId,
    at(ROWS + 60),
  ]);
  await owner.query(
    `insert into order_line_rows (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount)
     select tenant_id, id, 1, 'A-1', 'Mug', 1, 0, 0, 0 from orders where tenant_id = $1`,
    [tenantId],
  );
  await owner.query(
    `insert into customers (tenant_id, id, name, email, external_id, created_at, updated_at)
     select $1, gen_random_uuid(), n, 'C-' || n || '@example.com', 'C-' || n, $2::timestamptz + n * interval '1 minute',
            $2::timestamptz + case when n % 1000 = 5 then ${ROWS} + n / 1000 else n end * interval '1 minute'
       from generate_series(1, ${ROWS}) n`,
    [tenantId, at(0)],
  );
  await owner.query("vacuum analyze");
}

/** Sends requests of each kind to a replica whose statements are recorded, and waits for its relay. */
async function useService(): Promise<void> {
  const shop = await orders.openShop();
  const replica = await orders.startReplica({ ORDERS_DATABASE_URL: recorder.through(orders.serviceUrl) });
  const client = shop.clientAt(replica.url);
  const { customerId } = shop;
  const body = shop.order();
  const placed = await client.post("/v1/orders", body, { "idempotency-key": randomUUID() });
  const order = `/v1/orders/${placed.body.data.id}`;
  const { status } = await client.post(`${order}/payments`, { status: "succeeded", reference: "ch_1" });
  expect(status).toBe(200);
  await client.post(`${order}/refund`, { amount: 1, reason: "broken", reference: "re_1" });
  await client.post(`${order}/fulfill`);
  await client.patch(order, { customerNote: "ring twice" });
  for (const path of [order, `${order}/timeline`, `${order}/payments`, `/v1/customers/${customerId}`]) {
    await client.get(path);
  }
  await client.get("/v1/customers");
  expect((await client.get("/internal/usage?counts=true")).status).toBe(200);
  const feed = await client.get("/v1/orders/events?limit=1");
  await client.get(`/v1/orders/events?after=${feed.body.page.nextCursor}`);
  await client.get("/v1/orders/events?after=now&waitSeconds=1");
  await client.patch(`/v1/customers/${customerId}`, { name: "Grace" });
  for (const name of ["Ada", "Ada L."]) await client.put("/v1/customers/by-external-id/erp-1", { name });
  await Promise.all([1, 2, 3].map(() => client.post("/v1/orders", body)));
  await until("the relay to publish", async () => {
    await client.post("/v1/orders", body);
    return recorder.texts().some((text) => text.includes("into published_events"));
  });
  const audit = await captureMessages(orders.amqpUrl, "#", { exchange: "platform.audit" });
  // Another replica takes some of the steps.
  await until("all steps of erasures", async () => {
    const { body: person } = await client.post("/v1/customers", { name: "Ada" });
    const own = { ...body, customerId: person.data.id };
    const { body: bought } = await client.post("/v1/orders", own, { "idempotency-key": randomUUID() });
    await client.post(`/v1/orders/${bought.data.id}/cancel`, { reason: "none left" });
    const { body: erasure } = await client.post(`/v1/customers/${person.data.id}/erasure`);
    await until("the end of an erasure", async () => {
      const { body: read } = await client.get(`/v1/erasures/${erasure.data.id}`);
      return read.data.status === "finished";
    });
    return ERASURE.every((part) => recorder.texts().some((text) => text.includes(part)));
  });
  await audit.stop();
  await replica.stop();
}

async function fill(owner: pg.Client): Promise<void> {
  await owner.query(`
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
    select gen_random_uuid(), gen_random_uuid(), type, tenant_id, request_id, traceparent, actor, data
      from (select * from published_events limit 1) one, generate_series(1, ${ROWS})`);
  await multiplyRows(owner, ROWS);
}
