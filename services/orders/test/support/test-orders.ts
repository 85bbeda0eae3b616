// The orders service alone, on a database and a vhost of its own, called as the gateway calls it.
import { randomBytes, randomUUID } from "node:crypto";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import { type ApiClient, createTestBroker, createTestDatabase, signedClient } from "@tradepost/testing";
import { settings } from "../../src/config.ts";
import { startOrders } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";

export interface TestShop {
  readonly tenantId: string;
  readonly customerId: string;
  readonly client: ApiClient;
  /** Places an order from JSON text, so that a test decides over every digit. */
  place(json: string): ReturnType<ApiClient["send"]>;
}

export type TestOrders = Awaited<ReturnType<typeof startTestOrders>>;

export async function startTestOrders() {
  const running = new AsyncDisposableStack();
  const logger = createLogger("test", "silent");
  const [database, broker] = await Promise.all([createTestDatabase(), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const secret = randomBytes(32).toString("hex");
  const orders = await startOrders(
    readSettings(settings, {
      PORT: "0",
      ORDERS_DATABASE_URL: database.url,
      AMQP_URL: broker.amqpUrl,
      GATEWAY_SECRET: secret,
    }),
    logger,
  );
  running.defer(orders.stop);
  const { db, stop } = connectPostgres<Tables>({
    url: database.url,
    name: "test",
    connectionsMax: 2,
    logger,
  });
  running.defer(stop);
  return {
    url: orders.url,
    /** What the gateway would share with the service. */
    secret,
    db,
    databaseUrl: database.url,
    amqpUrl: broker.amqpUrl,
    /** A tenant of its own with one customer. */
    openShop: async (): Promise<TestShop> => {
      const tenantId = randomUUID();
      const client = signedClient(orders.url, secret, { tenantId });
      const customer = await client.post("/v1/customers", { name: "Ada" });
      const headers = { "content-type": "application/json" };
      return {
        tenantId,
        customerId: customer.body.data.id,
        client,
        place: (body) => client.send("POST", "/v1/orders", { headers, body }),
      };
    },
    stop: () => running.disposeAsync(),
  };
}
