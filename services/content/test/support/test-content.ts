// The content service alone, on a database and a vhost of its own, called as the gateway calls it.
import { randomBytes, randomUUID } from "node:crypto";
import { createLogger, readSettings } from "@tradepost/runtime";
import { createTestBroker, createTestDatabase, signedClient, tapExchange, until } from "@tradepost/testing";
import { settings } from "../../src/config.ts";
import { startContent } from "../../src/service.ts";

export type TestContent = Awaited<ReturnType<typeof startTestContent>>;

export async function startTestContent() {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createTestDatabase(), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const secret = randomBytes(32).toString("hex");
  const content = await startContent(
    readSettings(settings, {
      PORT: "0",
      DRAIN_IDLE_MS: "0",
      CONTENT_DATABASE_URL: database.url,
      AMQP_URL: broker.amqpUrl,
      GATEWAY_SECRET: secret,
    }),
    createLogger("test", "silent"),
  );
  running.defer(content.stop);
  return {
    amqpUrl: broker.amqpUrl,
    broker,
    databaseUrl: database.url,
    /** Hears every event from now on, those for subscribers too, as the webhooks service would. */
    hearEvents: async () => {
      const tap = await tapExchange(broker.amqpUrl, "#");
      running.defer(() => tap.stop());
      await broker.manage("PUT", "/queues/webhooks.events", { durable: true });
      await broker.manage("POST", "/bindings/e/platform.events/q/webhooks.events", { routing_key: "#" });
      /** A tenant's, in the order in which they came, once there are so many. */
      return async (tenantId: string, count: number) =>
        await until(`${count} events`, () => {
          const events = tap.messages
            .filter(({ properties }) => properties.headers?.tenant_id === tenantId)
            .map(({ content: body }) => JSON.parse(String(body)));
          return events.length >= count && events;
        });
    },
    /** A client of a tenant of its own. */
    newTenant: (tenantId: string = randomUUID()) => ({
      tenantId,
      ...signedClient(content.url, secret, { tenantId }),
    }),
    stop: () => running.disposeAsync(),
  };
}
