// The content service with its own database and vhost. Its clients send requests as the gateway does.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Principal, principalHeaders } from "@tradepost/http";
import { createLogger, newTraceparent, readSettings } from "@tradepost/runtime";
import {
  captureMessages,
  createServiceDatabase,
  createTestBroker,
  openTestPool,
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

export interface RecordedEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into payloads of every shape.
  readonly data: any;
}

/** Copies each event that is written to the outbox, because the relay deletes those that it has published. */
const RECORD_EVENTS = `
  create table recorded_events (id bigint, type text, tenant_id uuid, aggregate_id uuid, data json);
  create function record_event() returns trigger language plpgsql security definer as $$
    begin
      insert into recorded_events values (new.id, new.type, new.tenant_id, new.aggregate_id, new.data);
      return new;
    end $$;
  create trigger record_event after insert on outbox for each row
    when (new.type not like 'audit.%') execute function record_event()`;

const AUDIT_ENTRIES = `
  select type as action, data, actor->>'id' as "actorId"
    from (select id, tenant_id, type, data, actor from outbox
           union all select id, tenant_id, type, data, actor from published_events) as entry
   where tenant_id = $1 and type like 'audit.%' order by id`;

let shared: Promise<TestContent> | undefined;

/** Resolves with the service that the test files of a worker share, each with tenants of its own. Nobody stops it. */
export function sharedTestContent(): Promise<TestContent> {
  shared ??= startTestContent();
  return shared;
}

/** `overrides` replace settings. */
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
  let recording: Promise<unknown> | undefined;
  return {
    amqpUrl: broker.amqpUrl,
    broker,
    databaseUrl: database.url,
    /** As the service's own login. */
    serviceUrl: database.serviceUrl,
    /** Runs a statement as the owner of the database. Returns its rows. */
    sql,
    /** Runs a statement as the owner in a transaction that keeps its locks until it is released. */
    hold: async (statement: string, values: unknown[] = []) => {
      const holder = new pg.Client(database.url);
      await holder.connect();
      await holder.query("begin");
      await holder.query(statement, values);
      const release = async () => {
        await holder.query("commit");
        await holder.end();
      };
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
    /** Records every event when it is written. Returns a function that reads a tenant's or an aggregate's events in order. */
    recordEvents: async () => {
      recording ??= sql(RECORD_EVENTS);
      await recording;
      return async (id: string): Promise<RecordedEvent[]> =>
        (await sql(
          "select type, data from recorded_events where $1 in (tenant_id, aggregate_id) order by id",
          [id],
        )) as RecordedEvent[];
    },
    /** The tenant's entries for the audit log, in order. */
    auditEntries: (tenantId: string) => sql(AUDIT_ENTRIES, [tenantId]),
    /** Captures every published event. Also binds a queue as the webhooks service does, so that all are published. */
    captureEvents: async () => {
      const captured = await captureMessages(broker.amqpUrl, "#");
      running.defer(() => captured.stop());
      await broker.manage("PUT", "/queues/webhooks.events", { durable: true });
      await broker.manage("POST", "/bindings/e/platform.events/q/webhooks.events", { routing_key: "#" });
      /** Waits for `count` events of a tenant. Returns them in the order in which they arrived. */
      return async (tenantId: string, count: number) =>
        await until(`${count} events`, () => {
          const events = captured.messages
            .filter(({ properties }) => properties.headers?.tenant_id === tenantId)
            .map(({ content: body }) => JSON.parse(String(body)));
          return events.length >= count && events;
        });
    },
    mediaDir,
    /** Stops the service and starts it again. Older clients still use the old URL. */
    restart: async () => {
      await content.stop();
      content = await startReplica();
    },
    /** The service's URL and the headers that sign a raw request: an upload, or a request without a body. */
    signRequest: (tenantId: string, method: string, path: string) => ({
      url: content.url,
      headers: principalHeaders(
        ownerOf(tenantId),
        {
          ...{ method, path, requestId: randomUUID(), traceparent: newTraceparent() },
          ...{ idempotencyKey: undefined, body: method === "POST" ? "streamed" : undefined },
        },
        secret,
      ),
    }),
    /** A client of a new tenant. */
    newTenant: (tenantId: string = randomUUID(), url = content.url, caller: Partial<Principal> = {}) => ({
      tenantId,
      ...signedClient(url, secret, { ...caller, tenantId }),
    }),
    stop: () => running.disposeAsync(),
  };
}

function ownerOf(tenantId: string): Principal {
  return {
    tenantId,
    role: "owner",
    actor: { type: "user", id: randomUUID(), name: "Test Owner" },
    scopes: [],
    modules: ["content"],
  };
}
