// The orders service alone, in as many replicas as a test asks for, on a database and a vhost of its own, called as the
// gateway calls it.
import { randomBytes, randomUUID } from "node:crypto";
import { connectPostgres, migrate } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import { type ApiClient, createServiceDatabase, createTestBroker, signedClient } from "@tradepost/testing";
import { settings } from "../../src/config.ts";
import { startOrders } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";

export interface TestShop {
  readonly tenantId: string;
  readonly customerId: string;
  readonly client: ApiClient;
  /** The same tenant's client of another replica, or of a proxy before it. */
  clientAt(url: string): ApiClient;
  /** Places an order from JSON text, so that a test decides over every digit. */
  place(json: string): ReturnType<ApiClient["send"]>;
}

export type TestOrders = Awaited<ReturnType<typeof startTestOrders>>;

/** In: how many replicas to start with. */
export async function startTestOrders({ replicas = 1 } = {}) {
  const running = new AsyncDisposableStack();
  const logger = createLogger("test", "silent");
  const [database, broker] = await Promise.all([createServiceDatabase("orders"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  await migrate({ url: database.ownerUrl, folder: new URL("../../migrations/", import.meta.url), logger });
  const secret = randomBytes(32).toString("hex");
  const startReplica = () =>
    startOrders(
      readSettings(settings, {
        PORT: "0",
        DRAIN_IDLE_MS: "0",
        ORDERS_DATABASE_URL: database.serviceUrl,
        AMQP_URL: broker.amqpUrl,
        GATEWAY_SECRET: secret,
      }),
      logger,
    );
  const started = await Promise.all(Array.from({ length: replicas }, startReplica));
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
    /** Of every replica, the first one's first. */
    urls,
    /** One more replica; whoever starts it stops it. */
    startReplica,
    /** What the gateway would share with the service. */
    secret,
    db,
    databaseUrl: database.url,
    amqpUrl: broker.amqpUrl,
    /** A tenant of its own with one customer. */
    openShop: async (): Promise<TestShop> => {
      const tenantId = randomUUID();
      const clientAt = (url: string) => signedClient(url, secret, { tenantId });
      const client = clientAt(url);
      const customer = await client.post("/v1/customers", { name: "Ada" });
      const headers = { "content-type": "application/json" };
      return {
        tenantId,
        customerId: customer.body.data.id,
        client,
        clientAt,
        place: (body) => client.send("POST", "/v1/orders", { headers, body }),
      };
    },
    stop: () => running.disposeAsync(),
  };
}
