// /readyz says whether requests can be served, and a stopping service gives load balancers time to notice (interface §9).
import http from "node:http";
import { newTraceparent } from "@tradepost/runtime";
import { apiClient, readMetrics, startFaultProxy, until } from "@tradepost/testing";
import { sql } from "kysely";
import { ownTestOrders } from "./support/test-orders.ts";

const orders = await ownTestOrders();

test("without the broker the service is ready, degraded, takes orders, and shows how old the oldest event is", async () => {
  const proxy = await startFaultProxy(orders.amqpUrl);
  const replica = await orders.startReplica({ AMQP_URL: proxy.url });
  const ready = () => apiClient(replica.url).get("/readyz");
  const shop = await orders.openShop();
  await until("the broker", async () => (await ready()).body.degraded === undefined);
  await proxy.refuse();
  await until("the loss of the broker", async () => (await ready()).body.degraded !== undefined);

  const response = await ready();
  expect([response.status, response.body]).toEqual([
    200,
    { status: "ready", missing: [], degraded: ["broker"] },
  ]);
  await until("the loss of both connections", async () => {
    const metric = await readMetrics(replica.url);
    return metric('broker_connected{role="relay"}') === 0 && metric('broker_connected{role="replay"}') === 0;
  });
  const metric = await readMetrics(replica.url);
  expect(metric('dependency_up{dependency="broker"}')).toBe(0);
  expect(metric('dependency_up{dependency="database"}')).toBe(1);
  const deep = await apiClient(replica.url).get("/readyz/deep");
  expect([deep.status, deep.body.missing]).toEqual([503, ["broker"]]);
  const placed = await shop.clientAt(replica.url).post("/v1/orders", shop.order());
  expect(placed.status).toBe(201);
  // Another replica uses the same table. No replica publishes an event that waits for its third try.
  await orders.db
    .insertInto("outbox")
    .values({
      ...{ event_id: crypto.randomUUID(), aggregate_id: crypto.randomUUID(), tenant_id: shop.tenantId },
      ...{ type: "order.placed", request_id: "r", traceparent: newTraceparent(), actor: "{}", data: "{}" },
      ...({ attempts: 2, next_try_at: "infinity", occurred_at: new Date(Date.now() - 600_000) } as object),
    })
    .execute();
  await until("the age of the oldest event", async () => {
    const metric = await readMetrics(replica.url);
    return (metric("outbox_oldest_seconds") ?? 0) >= 600 && metric("outbox_pending") === 1;
  });
  await replica.stop();
  await proxy.stop();
});

test("with a login that the broker has never accepted the service is not ready", async () => {
  const url = new URL(orders.amqpUrl);
  url.password = "wrong";
  const replica = await orders.startReplica({ AMQP_URL: url.href });
  const ready = () => apiClient(replica.url).get("/readyz");
  await until("the refusal", async () => (await ready()).status === 503);
  expect((await ready()).body).toEqual({ status: "not_ready", missing: ["broker_refused"] });
  await replica.stop();
});

test("with a login that the broker no longer accepts the service is ready, and says so", async () => {
  const proxy = await startFaultProxy(orders.amqpUrl);
  const replica = await orders.startReplica({ AMQP_URL: proxy.url });
  const ready = () => apiClient(replica.url).get("/readyz");
  await until("the broker", async () => (await ready()).body.degraded === undefined);
  const user = `/permissions/${new URL(orders.amqpUrl).username}`;
  const all = { configure: ".*", write: ".*", read: ".*" };
  await orders.manage("DELETE", user);
  await proxy.refuse();
  await proxy.restore();
  await until("the refusal", async () => (await ready()).body.degraded?.includes("broker_refused"));
  expect(await ready()).toMatchObject({ status: 200, body: { degraded: ["broker", "broker_refused"] } });
  expect((await readMetrics(replica.url))("broker_refused")).toBeGreaterThan(0);
  await orders.manage("PUT", user, all);
  await until("the broker", async () => (await ready()).body.degraded === undefined);
  await replica.stop();
  await proxy.stop();
});

test("with a database that accepts no changes the service is not ready", async () => {
  const ready = () => apiClient(orders.url).get("/readyz");
  expect((await ready()).status).toBe(200);
  const name = sql.ref(new URL(orders.databaseUrl).pathname.slice(1));
  await setReadOnly("on");
  expect(await ready()).toMatchObject({ status: 503, body: { missing: ["database"] } });
  expect((await readMetrics(orders.url))('dependency_up{dependency="database"}')).toBe(0);
  await setReadOnly("off");
  await until("the service to be ready", async () => (await ready()).status === 200);

  /** Sets read-only mode for new sessions, and ends the existing sessions. */
  async function setReadOnly(value: "on" | "off"): Promise<void> {
    const { db } = orders;
    await db.transaction().execute(async (tx) => {
      await sql`set local transaction_read_only = off`.execute(tx);
      await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(value)}`.execute(tx);
    });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'orders%'`.execute(
      db,
    );
  }
});

test("with a database whose disk is full for changes the service is not ready until a change succeeds", async () => {
  const replica = await orders.startReplica();
  const ready = () => apiClient(replica.url).get("/readyz");
  const shop = await orders.openShop();
  const place = () => shop.clientAt(replica.url).post("/v1/orders", shop.order());
  // Postgres raises the code of a full disk, and goes on reading and writing everything else.
  await sql`create function is_full() returns trigger language plpgsql as
    $$ begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    orders.db,
  );
  await sql`create trigger is_full before insert on orders execute function is_full()`.execute(orders.db);
  for (let refused = 0; refused < 3; refused += 1) {
    expect((await ready()).status).toBe(200);
    const response = await place();
    expect(response).toMatchObject({ status: 503, body: { error: { code: "service_unavailable" } } });
    expect(response.headers.get("retry-after")).toBe("2");
  }
  expect(await ready()).toMatchObject({ status: 503, body: { missing: ["database_full"] } });
  const metric = await readMetrics(replica.url);
  expect(metric('dependency_up{dependency="database"}')).toBe(0);
  expect(metric('database_refuses_changes{reason="database_full"}')).toBe(1);

  await sql`drop trigger is_full on orders`.execute(orders.db);
  expect((await place()).status).toBe(201);
  expect((await ready()).status).toBe(200);
  expect((await readMetrics(replica.url))('database_refuses_changes{reason="database_full"}')).toBe(0);
  await replica.stop();
});

test("a stopping service takes new connections and requests until the idle grace is over", async () => {
  const shop = await orders.openShop();
  const replica = await orders.startReplica({ DRAIN_IDLE_MS: "4000" });
  const { body: feed } = await shop.client.get("/v1/orders/events");
  const waiting = shop
    .clientAt(replica.url)
    .get(`/v1/orders/events?waitSeconds=25&after=${encodeURIComponent(feed.page.nextCursor)}`);
  let isStopped = false;
  const stopping = replica.stop().then(() => {
    isStopped = true;
  });

  const ready = await apiClient(replica.url).get("/readyz");
  expect([ready.status, ready.body.missing]).toEqual([503, ["stopping"]]);
  const { status } = await getOverNewConnection(`${replica.url}/healthz`);
  expect(status).toBe(200);
  const placed = await shop.clientAt(replica.url).post("/v1/orders", shop.order());
  expect([placed.status, placed.headers.get("connection")]).toEqual([201, "close"]);
  // A waiting reader is still woken.
  expect((await waiting).body.data).toHaveLength(1);
  expect(isStopped).toBe(false);

  await stopping;
  await until("the port to be closed", async () => {
    const { refused } = await getOverNewConnection(`${replica.url}/healthz`);
    return refused;
  });
});

function getOverNewConnection(url: string): Promise<{ status?: number | undefined; refused: boolean }> {
  return new Promise((resolve) => {
    http
      .get(url, { agent: false }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, refused: false });
      })
      .on("error", () => resolve({ refused: true }));
  });
}
