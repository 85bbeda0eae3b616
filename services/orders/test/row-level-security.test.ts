// Row-level security: in the service's role with one tenant set, statements can neither read nor write another tenant's rows,
// even without a condition on the tenant.
import { randomUUID } from "node:crypto";
import { ownTestOrders, type TestShop } from "./support/test-orders.ts";

/** The tables that the worker role cannot read. */
const OF_ORDERS = [
  "customers",
  "orders",
  "order_lines",
  "order_line_rows",
  "order_changes",
  "order_counters",
  "order_words",
  "customer_words",
];
/** Rows of the figures are moved between tables. */
const FIGURES = ["order_deltas", "order_totals"];
// The service's role may read all tables except the outbox, into which it only inserts.
const READABLE = [...OF_ORDERS, "erasures", "idempotency_records"];
const DENIED = "42501";

const orders = await ownTestOrders();
const client = await orders.connect();
const [ours, theirs] = [await orders.openShop(), await orders.openShop()];
for (const shop of [ours, theirs]) {
  await fillTables(shop);
  // Release 1.0.0 inserts lines in this way.
  await client.query(
    `insert into order_lines (tenant_id, order_id, position, sku, name, quantity, unit_price, subtotal, tax_amount)
     select tenant_id, id, 2, 'A-2', 'Cup', 1, 0, 0, 0 from orders where tenant_id = $1`,
    [shop.tenantId],
  );
  await client.query(
    `insert into erasures (tenant_id, id, customer_id, actor, request_id, traceparent, finished_at)
     values ($1, gen_random_uuid(), $2, '{}', '', '', now())`,
    [shop.tenantId, shop.customerId],
  );
}

describe("row-level security", () => {
  const actAs = async (role: string, tenantId = "") => {
    await client.query("reset role");
    await client.query(`set role ${role}`);
    await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
  };
  const codeOf = async (statement: string, values: unknown[] = []): Promise<unknown> =>
    client.query(statement, values).then(
      ({ rowCount }) => ({ rowCount }),
      ({ code }) => code,
    );
  const tenantsIn = async (table: string) =>
    (await client.query(`select distinct tenant_id from ${table}`)).rows.map((row) => row.tenant_id);

  test("is forced on every table with a tenant_id", async () => {
    await client.query("reset role");
    const { rows } = await client.query(`
      select relname as name, relrowsecurity and relforcerowsecurity as forced
        from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
       where relkind in ('r', 'p') and not relispartition order by relname`);
    expect(rows).toEqual(
      [...READABLE, ...FIGURES, "outbox", "event_bytes", "published_events"]
        .filter((name) => name !== "order_lines")
        .sort()
        .map((name) => ({ name, forced: true })),
    );
  });

  test.each(READABLE)("shows only the tenant's rows of %s, and none without a tenant", async (table) => {
    await actAs("tradepost_orders", ours.tenantId);
    expect(await tenantsIn(table)).toEqual([ours.tenantId]);
    await actAs("tradepost_orders", theirs.tenantId);
    expect(await tenantsIn(table)).toEqual([theirs.tenantId]);
    await actAs("tradepost_orders");
    expect(await tenantsIn(table)).toEqual([]);
  });

  test("shows only the tenant's figures of orders, wherever they are, and lets it write differences only", async () => {
    await client.query("reset role");
    const figures =
      "at, currency, orders, total, paid, refunded, to_fulfill, unpaid, payment_failed, to_deliver";
    const insertInto = (table: string) =>
      `insert into ${table} (tenant_id, ${figures}) values ($1, '2000-01-01', 'EUR', 0, 0, 0, 0, 0, 0, 0, 0)`;
    await client.query("begin");
    for (const table of FIGURES)
      for (const shop of [ours, theirs]) await client.query(insertInto(table), [shop.tenantId]);
    await actAs("tradepost_orders", ours.tenantId);
    for (const table of FIGURES) expect([table, await tenantsIn(table)]).toEqual([table, [ours.tenantId]]);
    await client.query("rollback");
    await actAs("tradepost_orders", ours.tenantId);
    expect(await codeOf(insertInto("order_deltas"), [theirs.tenantId])).toBe(DENIED);
    expect(await codeOf(insertInto("order_totals"), [ours.tenantId])).toBe(DENIED);
    expect(await codeOf("delete from order_deltas")).toBe(DENIED);
  });

  test("keeps statements without a condition from changing another tenant's rows", async () => {
    await actAs("tradepost_orders", ours.tenantId);
    await client.query("update customers set name = 'Eve'");
    await client.query("update order_counters set next_number = next_number + 1000");
    await client.query("update orders set version = version + 1000");
    // Columns that an erasure may change.
    await client.query("update order_changes set details = 'null'");
    await client.query("update outbox set data = 'null'");
    await client.query("update published_events set data = 'null'");
    await client.query("update idempotency_records set answer = 'null'");
    await client.query("update erasures set rows = 1000");
    await client.query("delete from idempotency_records");
    await client.query("reset role");
    const { rows } = await client.query(
      `select (select array_agg(name) from customers where tenant_id = $1) as customers,
              (select next_number::int from order_counters where tenant_id = $1) as next,
              (select max(version) from orders where tenant_id = $1) as version,
              (select count(*)::int from idempotency_records where tenant_id = $1) as records,
              (select rows from erasures where tenant_id = $1) as erased,
              (select count(*)::int from (
                 select details as json, tenant_id from order_changes
                 union all select data, tenant_id from outbox union all select data, tenant_id from published_events
                 union all select answer, tenant_id from idempotency_records) changed
                where tenant_id = $1 and json::text = 'null') as changed`,
      [theirs.tenantId],
    );
    const untouched = { customers: ["Ada"], next: 1002, version: 2, records: 1, erased: 0, changed: 0 };
    expect(rows).toEqual([untouched]);
  });

  test("refuses to insert a row for another tenant, or to move one to it", async () => {
    await actAs("tradepost_orders", ours.tenantId);
    const newCustomer = "insert into customers (tenant_id, id, name) values ($1, $2, 'Eve')";
    expect(await codeOf(newCustomer, [theirs.tenantId, randomUUID()])).toBe(DENIED);
    expect(await codeOf(newCustomer, [ours.tenantId, randomUUID()])).toEqual({ rowCount: 1 });
    expect(await codeOf("update customers set tenant_id = $1", [theirs.tenantId])).toBe(DENIED);
    const newEvent = `
      insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
      values (gen_random_uuid(), gen_random_uuid(), 'order.placed', $1, '', '', '{}', '{}')`;
    expect(await codeOf(newEvent, [theirs.tenantId])).toBe(DENIED);
  });

  test("does not let the service's role change an order's amounts and lines, or its timeline", async () => {
    await actAs("tradepost_orders", ours.tenantId);
    for (const statement of [
      "update orders set total = 0",
      "update order_line_rows set quantity = 1",
      "update orders set lines = null",
      "update order_changes set actor = '{}'",
      "update orders set external_id = null",
      "update orders set customer_id = id",
      "delete from orders",
      "delete from order_changes",
      "delete from erasures",
      "select customer_digest from erased_customers",
      "delete from erased_customers",
    ]) {
      expect([statement, await codeOf(statement)]).toEqual([statement, DENIED]);
    }
  });

  test("lets the service's role read its tenant's events, and change nothing but their data", async () => {
    await actAs("tradepost_orders", ours.tenantId);
    const seen: string[] = [];
    for (const table of ["outbox", "published_events"]) {
      for (const statement of [`delete from ${table}`, `update ${table} set type = ''`]) {
        expect([statement, await codeOf(statement)]).toEqual([statement, DENIED]);
      }
      seen.push(...(await tenantsIn(table)));
    }
    expect(new Set(seen)).toEqual(new Set([ours.tenantId]));
    await actAs("tradepost_orders");
    expect([await tenantsIn("outbox"), await tenantsIn("published_events")]).toEqual([[], []]);
  });

  test("shows the worker role every tenant's events, idempotency records and figures of orders, and nothing else", async () => {
    await actAs("tradepost_orders_worker");
    expect((await tenantsIn("idempotency_records")).length).toBeGreaterThan(0);
    expect(await codeOf("select from outbox")).toEqual({ rowCount: expect.any(Number) });
    for (const table of OF_ORDERS) {
      expect([table, await codeOf(`select from ${table}`)]).toEqual([table, DENIED]);
    }
  });
});

/** Places an order with an Idempotency-Key and fulfills it, so that every table has a row. */
async function fillTables({ client, order }: TestShop): Promise<void> {
  const { body: placed } = await client.post("/v1/orders", order(), { "idempotency-key": randomUUID() });
  const { status } = await client.post(`/v1/orders/${placed.data.id}/fulfill`);
  expect(status).toBe(200);
}
