// The broker and the database of one test. What they open is closed with `ended`, so that tests can run at the same time.
import { createTestBroker, createTestDatabase, startFaultProxy } from "@tradepost/testing";
import { createOutbox } from "./outbox-table.ts";
import { openRawBroker } from "./raw-broker.ts";

/** Creates a vhost with a fault proxy in front of it. The raw connection does not go through the proxy. */
export async function openBroker(ended: AsyncDisposableStack) {
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const proxy = await startFaultProxy(broker.amqpUrl);
  ended.defer(proxy.stop);
  const raw = await openRawBroker(broker.amqpUrl);
  ended.defer(raw.close);
  return { broker, proxy, raw };
}

/** Creates a database with the tables of an outbox. */
export async function openOutbox(ended: AsyncDisposableStack) {
  const database = await createTestDatabase();
  ended.defer(database.drop);
  const outbox = await createOutbox(database.url);
  ended.defer(outbox.close);
  return { database, outbox };
}
