// Starts the orders service with its own database and vhost, and creates clients that sign requests as the gateway does.
import { randomBytes, randomUUID } from "node:crypto";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import { type ApiClient, createServiceDatabase, createTestBroker, signedClient } from "@tradepost/testing";
import { settings } from "../../src/config.ts";
import { startOrders } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";

export interface TestShop {
  readonly tenantId: string;
  readonly customerId: string;
  readonly client: ApiClient;
  /** Returns a client of the same tenant for another replica, or for a proxy in front of one. */
  clientAt(url: string): ApiClient;
  /** Returns the body of an order of the shop's customer, of one `line`, with other fields. */
  order(fields?: object): Readonly<Record<string, unknown>>;
  /** Places an order from JSON text, because converting it to doubles could change it. */
  place(json: string): ReturnType<ApiClient["send"]>;
}

export type TestOrders = Awaited<ReturnType<typeof startTestOrders>>;

/** Returns the line of a mug at 10, with other fields. */
export const line = (fields: object = {}) => ({ sku: "A-1", name: "Mug", unitPrice: 10, ...fields });

let shared: Promise<TestOrders> | undefined;

/** Resolves with the service that the test files of a worker share, each with shops of its own. Nobody stops it. */
export function sharedTestOrders(): Promise<TestOrders> {
  shared ??= startTestOrders();
  return shared;
}

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
  return {
    url,
    /** The URLs of the replicas. */
    urls,
    /** Starts another replica; the test must stop it. */
    startReplica,
    /** The secret that the gateway and the service share. */
    secret,
    db,
    databaseUrl: database.url,
    /** Logs in as the service's process does. */
    serviceUrl: database.serviceUrl,
    amqpUrl: broker.amqpUrl,
    manage: broker.manage,
    /** Returns a client of any tenant at a replica. */
    clientOf: (tenantId: string, replicaUrl: string) => signedClient(replicaUrl, secret, { tenantId }),
    /** Creates a tenant with one customer. */
    openShop: async (): Promise<TestShop> => {
      const tenantId = randomUUID();
      const clientAt = (url: string) => signedClient(url, secret, { tenantId });
      const client = clientAt(url);
      const customer = await client.post("/v1/customers", { name: "Ada" });
      const headers = { "content-type": "application/json" };
      const customerId: string = customer.body.data.id;
      return {
        tenantId,
        customerId,
        client,
        clientAt,
        order: (fields) => ({ customerId, items: [line()], ...fields }),
        place: (body) => client.send("POST", "/v1/orders", { headers, body }),
      };
    },
    stop: () => running.disposeAsync(),
  };
}

/** Reads all events of a feed, `orders` or `customers`. */
export async function readFeed({ client }: TestShop, feed: string) {
  const events = [];
  for (let after = "", hasMore = true; hasMore; ) {
    const { body } = await client.get(`/v1/${feed}/events?limit=100${after}`);
    events.push(...body.data);
    after = `&after=${body.page.nextCursor}`;
    ({ hasMore } = body.page);
  }
  return events;
}
