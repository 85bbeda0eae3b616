// The content service with its own database and vhost. Its clients send requests as the gateway does.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Principal } from "@tradepost/http";
import { createLogger, readSettings } from "@tradepost/runtime";
import {
  type ClientResponse,
  createServiceDatabase,
  createTestBroker,
  openTestPool,
  requestSigner,
  signedClient,
  startServiceProcess,
  until,
} from "@tradepost/testing";
import pg from "pg";
import { settings } from "../../src/config.ts";
import { startContent } from "../../src/service.ts";

const SERVICE = path.resolve(import.meta.dirname, "../..");

export type TestContent = Awaited<ReturnType<typeof startTestContent>>;

export type TestTenant = ReturnType<TestContent["newTenant"]>;

/** Events and entries for the audit log, published or not. */
const EVENTS = `
  select event_id as id, type, tenant_id, occurred_at, request_id, actor, data
    from (select id, event_id, tenant_id, aggregate_id, type, occurred_at, request_id, actor, data from outbox
           union all
          select id, event_id, tenant_id, aggregate_id, type, occurred_at, request_id, actor, data from published_events) as event
   where $1 in (tenant_id, aggregate_id) and (type like 'audit.%') = $2 order by id`;

let shared: Promise<TestContent> | undefined;

/** Resolves with the service that the test files of a worker share, each with tenants of its own. Nobody stops it. */
export function sharedTestContent(): Promise<TestContent> {
  shared ??= startTestContent();
  return shared;
}

/** Resolves with a service of the test file, which stops with it. `overrides` replace settings. */
export async function ownTestContent(overrides: Record<string, string> = {}): Promise<TestContent> {
  const content = await startTestContent(overrides);
  afterAll(content.stop);
  return content;
}

/** The caller stops it. */
export async function startTestContent(overrides: Record<string, string> = {}) {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createServiceDatabase("content"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const logger = createLogger("test", "silent");
  const secret = randomBytes(32).toString("hex");
  const mediaDir = await mkdtemp(path.join(os.tmpdir(), "tradepost-media-"));
  running.defer(() => rm(mediaDir, { recursive: true, force: true }));
  const environment = {
    CONTENT_DATABASE_URL: database.serviceUrl,
    AMQP_URL: broker.amqpUrl,
    GATEWAY_SECRET: secret,
    CONTENT_MEDIA_LINK_SECRETS: secret,
    CONTENT_MEDIA_DIR: mediaDir,
    ...overrides,
  };
  const startReplica = async (more: Record<string, string> = {}) => {
    const started = await startContent(
      readSettings(settings, { PORT: "0", DRAIN_IDLE_MS: "0", ...environment, ...more }),
      logger,
    );
    running.defer(started.stop);
    return started;
  };
  let content = await startReplica();
  const owner = openTestPool(database.url, 2);
  running.defer(() => owner.end());
  const sql = async (statement: string, values: unknown[] = []) =>
    (await owner.query(statement, values)).rows;
  const connect = async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    running.defer(() => client.end());
    return client;
  };
  return {
    amqpUrl: broker.amqpUrl,
    broker,
    databaseUrl: database.url,
    /** As the service's own login. */
    serviceUrl: database.serviceUrl,
    /** Runs a statement as the owner of the database. Returns its rows. */
    sql,
    /** Opens a connection of the owner, which ends with the service. */
    connect,
    /** Runs a statement as the owner in a transaction that keeps its locks until it is released. */
    hold: async (statement: string, values: unknown[] = []) => {
      const holder = await connect();
      await holder.query("begin");
      await holder.query(statement, values);
      const release = async () => void (await holder.query("commit"));
      return { query: (text: string, more: unknown[] = []) => holder.query(text, more), release };
    },
    /** Starts another replica on the same database and broker, with other settings if given. */
    startReplica,
    /** Stops the first replica only. */
    stopService: () => content.stop(),
    /** Starts another replica in a separate process, as `npm start` runs it. */
    startProcess: async () => {
      const started = await startServiceProcess(path.join(SERVICE, "src/main.ts"), {
        cwd: SERVICE,
        nodeFlags: ["--max-semi-space-size=8", "--max-old-space-size=768", "--expose-gc"],
        env: { LOG_LEVEL: "error", MALLOC_ARENA_MAX: "1", ...environment },
      });
      running.defer(async () => void (await started.kill("SIGKILL")));
      return started;
    },
    /** Waits until a tenant or an aggregate has at least `countMin` events. Returns them in order. */
    events: (id: string, countMin = 0) =>
      until(`${countMin} events`, async () => {
        const events = await sql(EVENTS, [id, false]);
        return events.length >= countMin && events;
      }),
    /** Returns the tenant's entries for the audit log, in order. */
    auditEntries: (tenantId: string) => sql(EVENTS, [tenantId, true]),
    mediaDir,
    /** Stops the service and starts it again. Older clients still use the old URL. */
    restart: async () => {
      await content.stop();
      content = await startReplica();
    },
    /** The service's URL and the headers that sign a raw request: an upload, or a request without a body. */
    signRequest: (tenantId: string, method: string, path: string) => ({
      url: content.url,
      headers: requestSigner(secret, { tenantId })({
        method,
        path,
        body: method === "POST" ? "streamed" : undefined,
      }),
    }),
    newTenant: (tenantId: string = randomUUID(), url = content.url, caller: Partial<Principal> = {}) => {
      const client = signedClient(url, secret, { ...caller, tenantId });
      /** Waits until the change feed has at least `countMin` events: an open transaction of any test hides them. Returns them. */
      const feed = (countMin: number, query = "") =>
        until(`${countMin} events in the feed`, async () => {
          const { body } = await client.get(`/v1/content/events?limit=100${query}`);
          const events: ClientResponse["body"][] = body.data;
          return events.length >= countMin && events;
        });
      return { tenantId, feed, ...client };
    },
    /** Calls `end` before the service stops. */
    beforeStop: (end: () => Promise<void>) => running.defer(end),
    stop: () => running.disposeAsync(),
  };
}
