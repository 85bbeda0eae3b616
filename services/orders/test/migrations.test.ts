// The migrations of a new version run while the previous version still serves requests. So the previous version's statements must
// still work, in its roles. `previous-versions/` has the statements of each version, named by its newest migration.
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase, type TestDatabase } from "@tradepost/testing";
import pg from "pg";

const MIGRATIONS = fileURLToPath(new URL("../migrations/", import.meta.url));
const PREVIOUS = fileURLToPath(new URL("previous-versions/", import.meta.url));
const ROLES = ["tradepost_orders", "tradepost_orders_worker"];
const logger = createLogger("test", "silent");

describe("the migrations", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  let owner: { name: string; url: string };
  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    owner = await createOwner(admin, database.url);
  });
  afterAll(async () => {
    await admin.query(`drop owned by ${owner.name} cascade`);
    await admin.end();
    await database.drop();
  });

  test("have the statements of each previous version in a folder", async () => {
    const migrations = (await readdir(MIGRATIONS)).filter((file) => file.endsWith(".sql")).sort();
    const expected = migrations.slice(0, -1).map((file) => file.slice(0, 4));
    expect((await readdir(PREVIOUS)).sort()).toEqual(expected);
  });

  test("let version 0001 read and write as it did on its own schema", async () => {
    await migrateTo("0001", owner.url);
    const before = await previousVersion("0001", owner.url);
    const customer = [randomUUID(), randomUUID(), "Ada", null, null, "crm-1", null];
    await before.run("insert-customer", customer);
    const [tenantId = "", customerId = ""] = customer as string[];
    const first = await before.placeOrder(tenantId, customerId);
    const read = async () => ({
      customers: await before.run("list-customers", [tenantId, 10]),
      order: await before.run("read-order", [tenantId, first.id]),
    });
    const seenBefore = await read();
    expect([seenBefore.customers.length, seenBefore.order.length]).toEqual([1, 1]);

    await migrate({ url: owner.url, folder: new URL("../migrations/", import.meta.url), logger });
    expect(await read()).toMatchObject(seenBefore);
    const second = await before.placeOrder(tenantId, customerId);
    expect([first.orderNumber, second.orderNumber]).toEqual(["1001", "1002"]);
    const { rows } = await admin.query("select count(*)::int as events from outbox");
    expect(rows).toEqual([{ events: 2 }]);
    await before.stop();
  });

  test("let version 0002 read orders and publish events, in its roles", async () => {
    const version = await previousVersion("0002", owner.url);
    const { rows: orders } = await admin.query("select tenant_id, id from orders order by order_number");
    const [{ tenant_id: tenantId, id }] = orders;
    await version.run("act-as", ["tradepost_orders", tenantId]);
    expect(await version.run("read-order", [tenantId, id])).toMatchObject([{ id, items: [{ sku: "A-1" }] }]);
    expect(await version.run("list-orders", [tenantId, 26])).toHaveLength(orders.length);
    expect(await version.run("list-customers", [tenantId, 26])).toHaveLength(1);
    expect(await version.run("read-timeline", [tenantId, id, null, 26])).toMatchObject([
      { type: "order.placed" },
    ]);
    await version.run("act-as", ["tradepost_orders_worker", ""]);
    const shards = await Promise.all([0, 1, 2, 3].map((shard) => version.run("claim-events", [shard])));
    const events = shards.flat();
    expect(events).toHaveLength(orders.length);
    await version.run("delete-published", [events.map((event) => event.id)]);
    const { rows } = await admin.query("select count(*)::int as events from outbox");
    expect(rows).toEqual([{ events: 0 }]);
    await version.stop();
  });

  test("let version 0003 store published events and replay them", async () => {
    const first = await previousVersion("0001", owner.url);
    const { rows: customers } = await admin.query("select tenant_id, id from customers");
    await first.placeOrder(customers[0].tenant_id, customers[0].id);
    await first.stop();
    const version = await previousVersion("0003", owner.url);
    await version.run("act-as", ["tradepost_orders_worker", ""]);
    const events = await version.run("claim-events", [[0, 1, 2, 3]]);
    expect(events).toHaveLength(1);
    await version.run("move-published", [events.map((event) => event.id)]);
    await version.run("request-replay", []);
    const [replay] = await version.run("find-replay", []);
    const { until, after_published_at, after_id } = replay;
    const again = await version.run("next-events", [until, after_published_at, after_id, 500]);
    expect(again.map((event) => event.event_id)).toEqual(events.map((event) => event.event_id));
    await version.run("end-replay", []);
    await version.run("act-as", [owner.name, ""]);
    for (const statement of ["create-day", "attach-day", "drop-day"]) await version.run(statement, []);
    await version.stop();
  });

  test("let version 0004 request a replay, in its role", async () => {
    const version = await previousVersion("0004", owner.url);
    await version.run("act-as", ["tradepost_orders_worker", ""]);
    await version.run("request-replay", []);
    expect((await admin.query("select from replay")).rowCount).toBe(1);
    await version.stop();
  });

  test("let version 0005 place and change orders, in its role", async () => {
    const version = await previousVersion("0005", owner.url);
    const { rows: customers } = await admin.query("select tenant_id, id from customers");
    const [{ tenant_id: tenantId, id: customerId }] = customers;
    await version.run("act-as", ["tradepost_orders", tenantId]);
    const [id, eventId] = [randomUUID(), randomUUID()];
    const amounts = ["2.0000", "0.0000", "0.0000", "0.0000", "2.0000"];
    const key = ["POST /v1/orders", randomUUID()];
    const line = [["A-1"], ["Mug"], ["1"], ["2.0000"], ["2.0000"], ["0.0000"], [null], [null], [null]];
    const [placed] = await version.run("insert-order", [
      ...[tenantId, customerId, ...key, null, id, "admin", "USD", ...amounts],
      ...Array(6).fill(null),
      ...["{}", "request", eventId, ...line, "order.placed", "trace"],
      ...[`{"order":{"pending":"${id}"}}`, id, Buffer.alloc(32), `{"pending":"${id}"}`],
    ]);
    expect(placed).toMatchObject({ customerFound: true, orderNumber: expect.any(String) });
    const changed = await version.run("change-order", [
      ...["fulfilled", "unpaid", "0", "0", "1Z", null, null, tenantId, id, 1, "order.fulfilled", "{}"],
      ...[randomUUID(), "{}", "request", "trace", "{}", "POST /v1/orders/:id/fulfill", randomUUID()],
      ...[Buffer.alloc(32), "{}"],
    ]);
    expect(changed).toEqual([{ version: 2 }]);
    await version.stop();
  });

  test("let version 0014 place orders, in its role", async () => {
    const version = await previousVersion("0014", owner.url);
    const { rows: customers } = await admin.query("select tenant_id, id from customers");
    const [{ tenant_id: tenantId, id: customerId }] = customers;
    await version.run("act-as", ["tradepost_orders", tenantId]);
    const [id, eventId] = [randomUUID(), randomUUID()];
    const amounts = ["2.0000", "0.0000", "0.0000", "0.0000", "2.0000"];
    const line = [["A-1"], ["Mug"], ["1"], ["2.0000"], ["2.0000"], ["0.0000"], [null], [null], [null]];
    const [placed] = await version.run("insert-order", [
      ...[tenantId, "admin", null, customerId, null, null, null, id, "USD", ...amounts],
      ...Array(6).fill(null),
      ...["{}", "request", eventId, ...line, "order.placed", "trace"],
      ...[`{"order":{"pending":"${id}"}}`, id, null, null],
    ]);
    expect(placed).toMatchObject({ customerFound: true, orderNumber: expect.any(String) });
    await version.stop();
  });

  test("give orders and customers of earlier versions the time of their latest change", async () => {
    const { rows } = await admin.query(`
      select order_number, updated_at - created_at < interval '1 minute' as "isOwn" from orders
      union all select name, updated_at = created_at and version = 1 from customers`);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ isOwn }) => !isOwn)).toEqual([]);
  });

  test("let version 0016 place orders, in its role, and they are counted", async () => {
    const version = await previousVersion("0016", owner.url);
    const { rows: customers } = await admin.query(
      "select tenant_id, id from customers order by created_at limit 1",
    );
    const [{ tenant_id: tenantId, id: customerId }] = customers;
    await version.run("act-as", ["tradepost_orders", tenantId]);
    const count = async () => {
      const counted =
        "select orders from order_totals where tenant_id = $1 union all select orders from order_deltas where tenant_id = $1";
      const { rows } = await admin.query(`select sum(orders)::int as counted from (${counted}) counted`, [
        tenantId,
      ]);
      return rows[0].counted;
    };
    const before = await count();
    const [id, eventId] = [randomUUID(), randomUUID()];
    const amounts = ["2.0000", "0.0000", "0.0000", "0.0000", "2.0000"];
    const line = [
      ["A-1"],
      ["Mug"],
      ["1"],
      ["2.0000"],
      ["2.0000"],
      ["0.0000"],
      [null],
      [null],
      [null],
      [null],
    ];
    const [placed] = await version.run("insert-order", [
      ...[tenantId, "admin", null, customerId, null, null, null, id, "USD", ...amounts],
      ...Array(6).fill(null),
      ...["{}", "request", eventId, "", ...line, [], "order.placed", "trace"],
      ...[`{"order":{"pending":"${id}"}}`, id, null, null],
    ]);
    expect(placed).toMatchObject({ customerFound: true, orderNumber: expect.any(String) });
    const { rows } = await admin.query("select count(*)::int as orders from orders where tenant_id = $1", [
      tenantId,
    ]);
    expect([before + 1, await count()]).toEqual([rows[0].orders, rows[0].orders]);
    await version.stop();
  });

  test("let version 0015 create and change customers, in its role; their words are then old", async () => {
    const version = await previousVersion("0015", owner.url);
    const tenantId = randomUUID();
    const id = randomUUID();
    await version.run("act-as", ["tradepost_orders", tenantId]);
    const values = [tenantId, id, "Grace", null, null, null, null];
    expect(await version.run("insert-customer", values)).toHaveLength(1);
    const isWithoutWords = async () =>
      (
        await admin.query(
          "select search_version is distinct from version as yes from customers where id = $1",
          [id],
        )
      ).rows[0].yes;
    expect(await isWithoutWords()).toBe(true);
    await admin.query("update customers set search_version = version where id = $1", [id]);
    expect(await version.run("change-customer", [...values, 2])).toHaveLength(1);
    expect(await isWithoutWords()).toBe(true);
    await version.stop();
  });

  test.each(["0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012", "0021"])(
    "let the relay of version %s publish events, which the change feed has, in its role",
    async (number) => {
      const first = await previousVersion("0001", owner.url);
      const { rows: customers } = await admin.query("select tenant_id, id from customers");
      await first.placeOrder(customers[0].tenant_id, customers[0].id);
      await first.stop();
      const { rows: events } = await admin.query(
        "select id, event_id, xid::text from outbox order by id desc",
      );
      const version = await previousVersion(number, owner.url);
      await version.run("act-as", ["tradepost_orders_worker", ""]);
      await version.run("move-published", [events.map(({ id }) => id)]);
      await version.stop();
      const { rows: published } = await admin.query(
        "select event_id from published_events where event_id = $1 and xid >= $2::xid8",
        [events[0].event_id, events[0].xid],
      );
      expect(published).toHaveLength(1);
    },
  );
});

/** Creates a role like the one of `npm start` and the compose file: it owns the database but is not a superuser. */
async function createOwner(admin: pg.Client, databaseUrl: string) {
  const name = `owner_${randomBytes(6).toString("hex")}`;
  await admin.query(`create role ${name} login createrole password 'test'`);
  for (const role of ROLES) {
    await admin.query(`
      do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$`);
    await admin.query(`grant ${role} to ${name} with admin option`);
  }
  await admin.query(`grant create on schema public to ${name}`);
  await admin.query(`grant create on database ${new URL(databaseUrl).pathname.slice(1)} to ${name}`);
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = "test";
  return { name, url: url.href };
}

/** Migrates to the state of a version: up to and including its own newest migration. */
async function migrateTo(number: string, url: string): Promise<void> {
  const file = (await readdir(MIGRATIONS)).find((name) => name.startsWith(number)) ?? "";
  const folder = new URL("../migrations/", import.meta.url);
  await migrate({ url, folder, upTo: path.basename(file, ".sql"), logger });
}

/** Returns a function that runs the statements of a version on one connection. */
async function previousVersion(number: string, url: string) {
  const client = new pg.Client(url);
  await client.connect();
  const run = async (statement: string, values: unknown[]) => {
    const text = await readFile(path.join(PREVIOUS, number, `${statement}.sql`), "utf8");
    return (await client.query({ name: statement === "insert-order" ? statement : "", text, values })).rows;
  };
  return {
    run,
    placeOrder: async (tenantId: string, customerId: string) => {
      const id = randomUUID();
      const line = { position: 1, sku: "A-1", name: "Mug", quantity: 1, unit_price: "2.0000" };
      const lines = [{ ...line, subtotal: "2.0000", tax_amount: "0.0000" }];
      const amounts = ["2.0000", "0.0000", "0.0000", "0.0000", "2.0000"];
      const order = [tenantId, id, customerId, null, "admin", "USD", ...amounts];
      const optional = [null, null, null, null, null, null];
      const event = [randomUUID(), "order.placed", "request", "trace", "{}", '"rest":1}}'];
      const rows = await run("insert-order", [...order, ...optional, JSON.stringify(lines), ...event]);
      return { id, orderNumber: rows[0].orderNumber as string };
    },
    stop: () => client.end(),
  };
}
