// The content service alone, on a database and a vhost of its own, called as the gateway calls it.
import { randomBytes, randomUUID } from "node:crypto";
import { createLogger, readSettings } from "@tradepost/runtime";
import { createTestBroker, createTestDatabase, signedClient } from "@tradepost/testing";
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
    /** A client of a tenant of its own. */
    newTenant: (tenantId: string = randomUUID()) => ({
      tenantId,
      ...signedClient(content.url, secret, { tenantId }),
    }),
    stop: () => running.disposeAsync(),
  };
}
