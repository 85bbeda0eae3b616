// Starts the orders service with its own database and vhost, and creates clients that sign requests as the gateway does.
import { randomBytes, randomUUID } from "node:crypto";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import {
  captureMessages,
  createServiceDatabase,
  createTestBroker,
  signedClient,
  until,
} from "@tradepost/testing";
import { sql } from "kysely";
import pg from "pg";
import { settings } from "../../src/config.ts";
import { startOrders } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";

export type TestOrders = Awaited<ReturnType<typeof startTestOrders>>;
export type TestShop = Awaited<ReturnType<TestOrders["openShop"]>>;

export const line = (fields: object = {}) => ({ sku: "A-1", name: "Mug", unitPrice: 10, ...fields });

let shared: Promise<TestOrders> | undefined;

/** Resolves with the service that the test files of a worker share, each with shops of its own. Nobody stops it. */
export function sharedTestOrders(): Promise<TestOrders> {
  shared ??= startTestOrders();
  return shared;
}

/** Resolves with a service of the test file, which stops with it. */
export async function ownTestOrders(options: { replicas?: number } = {}): Promise<TestOrders> {
  const orders = await startTestOrders(options);
  afterAll(orders.stop);
  return orders;
}

/** The caller must stop the service. */
export async function startTestOrders({ replicas = 1 } = {}) {
  const running = new AsyncDisposableStack();
  const logger = createLogger("test", "silent");
  const [database, broker] = await Promise.all([createServiceDatabase("orders"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const secret = randomBytes(32).toString("hex");
  const startReplica = (overrides: Record<string, string> = {}) =>
    startOrders(
      readSettings(settings, {
        PORT: "0",
        DRAIN_IDLE_MS: "0",
        ORDERS_DATABASE_URL: database.serviceUrl,
        AMQP_URL: broker.amqpUrl,
        GATEWAY_SECRET: secret,
        ...overrides,
      }),
      logger,
    );
  const started = await Promise.all(Array.from({ length: replicas }, () => startReplica()));
  for (const replica of started) running.defer(replica.stop);
  const urls = started.map((replica) => replica.url);
  const [url = ""] = urls;
  const { db, stop } = connectPostgres<Tables>({
    url: database.url,
    name: "test",
    connectionsMax: 2,
    logger,
  });
  running.defer(stop);
  const { messages, stop: stopCapturing } = await captureMessages(broker.amqpUrl, "#");
  running.defer(stopCapturing);
  const connect = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    running.defer(() => client.end());
    return client;
  };
  return {
    url,
    urls,
    /** Starts another replica; the test must stop it. */
    startReplica,
    /** The secret that the gateway and the service share. */
    secret,
    db,
    databaseUrl: database.url,
    /** Logs in as the service's process does. */
    serviceUrl: database.serviceUrl,
    /** Opens a connection of the owner, which ends before the service stops. */
    connect,
    /** Locks a tenant's order numbers, so that a request that needs the next one waits in the middle of its statement. */
    lockOrderNumbers: async (tenantId: string) => {
      const client = await connect();
      await client.query("begin");
      const lock = "select from order_counters where tenant_id = $1 for update";
      const { rowCount } = await client.query(lock, [tenantId]);
      if (rowCount !== 1) throw new Error("the tenant has no order yet");
      return async () => void (await client.query("rollback"));
    },
    /** Resolves with the pids of the service's backends that wait for a lock once there are `count` of them. */
    waiting: (count: number) =>
      until(`${count} waiting statements`, async () => {
        const { rows } = await sql<{ pid: number }>`
          select pid from pg_stat_activity
           where datname = current_database() and application_name = 'orders' and wait_event_type = 'Lock'`.execute(
          db,
        );
        return rows.length === count && rows.map(({ pid }) => pid);
      }),
    amqpUrl: broker.amqpUrl,
    manage: broker.manage,
    /** All messages with events that the service has published. */
    messages,
    /** Creates a tenant with one customer. */
    openShop: async () => {
      const tenantId = randomUUID();
      /** Returns a client of the tenant for another replica, or for a proxy in front of one. */
      const clientAt = (at: string) => signedClient(at, secret, { tenantId });
      const client = clientAt(url);
      const customer = await client.post("/v1/customers", { name: "Ada" });
      const headers = { "content-type": "application/json" };
      const customerId: string = customer.body.data.id;
      /** Counts the tenant's rows in a table, or its events, published or not. */
      const count = async (table: "orders" | "customers" | "outbox" | "events" | "idempotency_records") => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from ${table === "events" ? EVENTS : sql.table(table)}
           where tenant_id = ${tenantId}`.execute(db);
        return rows[0]?.count;
      };
      return {
        tenantId,
        customerId,
        client,
        clientAt,
        count,
        /** Returns the body of an order of the shop's customer, of one `line`, with other fields. */
        order: (fields: object = {}): Readonly<Record<string, unknown>> => ({
          customerId,
          items: [line()],
          ...fields,
        }),
        /** Places an order from JSON text, because converting it to doubles could change it. */
        place: (body: string) => client.send("POST", "/v1/orders", { headers, body }),
        /** Resolves with all published events once the tenant's outbox is empty and at least `countMin` have arrived. */
        published: (countMin: number) =>
          until(`${countMin} events`, async () => {
            const isEmpty = (await count("outbox")) === 0;
            const ofTenant = messages.filter(({ properties }) => properties.headers?.tenant_id === tenantId);
            const texts = ofTenant.map(({ content }) => content.toString());
            return isEmpty && texts.length >= countMin && texts.map((text) => JSON.parse(text));
          }),
      };
    },
    beforeStop: (end: () => Promise<void>) => running.defer(end),
    stop: () => running.disposeAsync(),
  };
}

const EVENTS = sql`(select tenant_id from outbox union all select tenant_id from published_events) as events`;

/** Waits until a feed, `orders` or `customers`, has at least `countMin` events: a transaction anywhere may hide them. Returns all. */
export function readFeed({ client }: TestShop, feed: string, countMin = 0) {
  return until(`${countMin} events of ${feed}`, async () => {
    const events = [];
    for (let after = "", hasMore = true; hasMore; ) {
      const { body } = await client.get(`/v1/${feed}/events?limit=100${after}`);
      events.push(...body.data);
      after = `&after=${body.page.nextCursor}`;
      ({ hasMore } = body.page);
    }
    return events.length >= countMin && events;
  });
}
