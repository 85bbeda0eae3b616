// A private platform on a Postgres of its own, with counters between its parts. Nothing else uses that server, whose own background
// work is off, so it writes only what the platform makes it write.
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { execute, forEachService, startTestPostgres } from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import { requestManagement, type TestBroker, until } from "@tradepost/testing";
import { type ConsumeMessage, connect } from "amqplib";
import { startPostgresCounter } from "./count-postgres.ts";
import { countWritten } from "./count-written.ts";
import { type Counts, difference, startCounting } from "./counts.ts";
import { forServices } from "./services.ts";
import { createPlatformBase, removePlatformBase, startTestPlatform } from "./test-platform.ts";

// Work at times that Postgres chooses differs between runs: images of pages after a checkpoint, vacuums, and flushes by a timer.
const POSTGRES_SETTINGS = {
  autovacuum: "off",
  checkpoint_timeout: "1h",
  full_page_writes: "off",
  wal_writer_delay: "10s",
};
const PLATFORM_SETTINGS = {
  // Events are counted for the tally, and it is sent later.
  EVENTS_TALLY_EVERY_MS: "3600000",
  WEBHOOKS_RETRY_SCHEDULE: "50ms",
};

// Asking for the tenants' usage, once a minute, would be in one count or another.
const NO_USAGE = { usage: { checkEveryMs: 3_600_000 } };

/** The costs of several runs together. */
export interface Measured {
  readonly times: number;
  /** Counts between the parts, until the end of the last run, and the time until then. */
  readonly passed: { readonly counts: Counts; readonly ms: number };
  /** Counts of Postgres's writes, until the services had written what they keep for later. */
  readonly written: { readonly counts: Counts; readonly ms: number };
}

export async function startCountedPlatform() {
  const running = new AsyncDisposableStack();
  const { count, counted } = startCounting();
  const postgres = await startTestPostgres();
  running.defer(postgres.stop);
  for (const [name, value] of Object.entries(POSTGRES_SETTINGS))
    await execute(postgres.url, `alter system set ${name} = '${value}'`);
  await execute(postgres.url, "select pg_reload_conf()");

  const base = await createPlatformBase(postgres.url);
  running.defer(() => removePlatformBase(base));
  const started = await forServices((service) => startPostgresCounter(postgres.url, service, count));
  const counters = Object.values(started);
  const databases = forEachService((service) => {
    const { serviceUrl, ...others } = base.databases[service];
    return { ...others, serviceUrl: started[service].through(serviceUrl) };
  });
  for (const counter of counters) running.defer(counter.stop);
  running.defer(await countMessages(base.broker, count));
  const logger = createLogger("test", "info", (line) => {
    count("log lines");
    count(`log line: ${JSON.parse(line).msg}`);
  });
  const platform = await startTestPlatform(PLATFORM_SETTINGS, logger, { ...base, databases }, NO_USAGE);
  running.defer(platform.stop);
  running.defer(countRequests(platform.urls, count));
  const written = await countWritten(postgres.url, platform.databases);
  running.defer(written.stop);

  /** Resolves when events are moved, no service waits for Postgres, and nothing was counted between two looks. */
  async function rest(): Promise<void> {
    for (const { url } of [base.databases.orders, base.databases.content])
      await until("an empty outbox", async () => (await execute(url, "select from outbox")).length === 0);
    let before = -1;
    await until("the platform to be at rest", () => {
      const now = counted().get("all") ?? 0;
      const isAtRest = now === before && counters.every((counter) => counter.isIdle());
      before = now;
      return isAtRest;
    });
  }

  async function readWritten(): Promise<Counts> {
    for (const counter of counters) await counter.reportStatistics();
    return await written.read();
  }

  return {
    ...platform,
    /** Runs `once` `times` times, each after the work of the run before. */
    measure: async (times: number, once: () => Promise<void>): Promise<Measured> => {
      await rest();
      const writtenBefore = await readWritten();
      const passedBefore = counted();
      const startedAt = performance.now();
      for (let run = 0; run < times; run += 1) {
        await once();
        await rest();
      }
      const passed = { counts: difference(passedBefore, counted()), ms: performance.now() - startedAt };
      await until("what is written later", () => written.isComplete(counted().get("calls") ?? 0));
      const counts = difference(writtenBefore, await readWritten());
      return { times, passed, written: { counts, ms: performance.now() - startedAt } };
    },
    stop: () => running.disposeAsync(),
  };
}

/**
 * Counts published messages by exchange, and delivered ones by queue: RabbitMQ publishes a copy of each to the exchange for traces.
 * Returns a function that ends the count.
 */
async function countMessages({ amqpUrl, managementUrl }: TestBroker, count: (name: string) => void) {
  const vhost = new URL(amqpUrl).pathname;
  await requestManagement(managementUrl, "PUT", `/vhosts${vhost}`, { tracing: true });
  const connection = await connect(amqpUrl);
  const channel = await connection.createChannel();
  const { queue } = await channel.assertQueue("", { exclusive: true });
  await channel.bindQueue(queue, "amq.rabbitmq.trace", "#");
  const countTrace = (trace: ConsumeMessage | null) => {
    const [, kind, name] = /^(publish|deliver)\.(.*)$/.exec(trace?.fields.routingKey ?? "") ?? [];
    count(kind === "publish" ? `messages published: ${name}` : `messages: ${name}`);
  };
  await channel.consume(queue, countTrace, { noAck: true });
  return () => connection.close();
}

/** Counts a caller's requests to the gateway also as `calls`. Returns a function that ends the count. */
function countRequests(urls: Readonly<Record<string, string>>, count: (name: string) => void): () => void {
  const services = new Map(Object.entries(urls).map(([name, url]) => [Number(new URL(url).port), name]));
  const onRequest = (event: unknown) => {
    const { request } = event as { request: IncomingMessage };
    const service = services.get(request.socket.localPort ?? 0);
    if (service === undefined) return;
    count(`HTTP requests: ${service}`);
    if (service === "gateway" && request.headers.authorization !== undefined) count("calls");
  };
  diagnostics.subscribe("http.server.request.start", onRequest);
  return () => void diagnostics.unsubscribe("http.server.request.start", onRequest);
}
