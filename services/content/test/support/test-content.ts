// The content service alone, on a database and a vhost of its own, called as the gateway calls it.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Principal, principalHeaders } from "@tradepost/http";
import { migrate } from "@tradepost/postgres";
import { createLogger, newTraceparent, readSettings } from "@tradepost/runtime";
import {
  captureMessages,
  createServiceDatabase,
  createTestBroker,
  signedClient,
  until,
} from "@tradepost/testing";
import pg from "pg";
import { settings } from "../../src/config.ts";
import { startContent } from "../../src/service.ts";

export type TestContent = Awaited<ReturnType<typeof startTestContent>>;

export type TestTenant = ReturnType<TestContent["newTenant"]>;

export interface NotedEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into payloads of every shape.
  readonly data: any;
}

/** The relay deletes what it has published; this keeps what was written. */
const NOTE_EVENTS = `
  create table noted (id bigint, type text, tenant_id uuid, aggregate_id uuid, data json);
  create function note() returns trigger language plpgsql security definer as $$
    begin
      insert into noted values (new.id, new.type, new.tenant_id, new.aggregate_id, new.data);
      return new;
    end $$;
  create trigger note after insert on outbox for each row execute function note()`;

/** In: settings that differ. */
export async function startTestContent(differing: Record<string, string> = {}) {
  const running = new AsyncDisposableStack();
  const [database, broker] = await Promise.all([createServiceDatabase("content"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const logger = createLogger("test", "silent");
  await migrate({ url: database.ownerUrl, folder: new URL("../../migrations/", import.meta.url), logger });
  const secret = randomBytes(32).toString("hex");
  const mediaDir = await mkdtemp(path.join(os.tmpdir(), "tradepost-media-"));
  running.defer(() => rm(mediaDir, { recursive: true, force: true }));
  const startReplica = async () => {
    const started = await startContent(
      readSettings(settings, {
        PORT: "0",
        DRAIN_IDLE_MS: "0",
        CONTENT_DATABASE_URL: database.serviceUrl,
        AMQP_URL: broker.amqpUrl,
        GATEWAY_SECRET: secret,
        CONTENT_MEDIA_DIR: mediaDir,
        ...differing,
      }),
      logger,
    );
    running.defer(started.stop);
    return started;
  };
  let content = await startReplica();
  const owner = new pg.Pool({ connectionString: database.url, max: 2 });
  running.defer(() => owner.end());
  const sql = async (statement: string, values: unknown[] = []) =>
    (await owner.query(statement, values)).rows;
  return {
    amqpUrl: broker.amqpUrl,
    broker,
    databaseUrl: database.url,
    /** A statement as the owner, past the service. Out: its rows. */
    sql,
    /** Another service on the same database and broker. */
    startReplica,
    /** Ends the first service alone. */
    stopService: () => content.stop(),
    /** Notes every event from now on with its transaction. Out: what tells a tenant's, or an aggregate's, in order. */
    noteEvents: async () => {
      await sql(NOTE_EVENTS);
      return async (id: string): Promise<NotedEvent[]> =>
        (await sql("select type, data from noted where $1 in (tenant_id, aggregate_id) order by id", [
          id,
        ])) as NotedEvent[];
    },
    /** Hears every event from now on, those for subscribers too, as the webhooks service would. */
    hearEvents: async () => {
      const captured = await captureMessages(broker.amqpUrl, "#");
      running.defer(() => captured.stop());
      await broker.manage("PUT", "/queues/webhooks.events", { durable: true });
      await broker.manage("POST", "/bindings/e/platform.events/q/webhooks.events", { routing_key: "#" });
      /** A tenant's, in the order in which they came, once there are so many. */
      return async (tenantId: string, count: number) =>
        await until(`${count} events`, () => {
          const events = captured.messages
            .filter(({ properties }) => properties.headers?.tenant_id === tenantId)
            .map(({ content: body }) => JSON.parse(String(body)));
          return events.length >= count && events;
        });
    },
    mediaDir,
    /** As if the process had been stopped and started again; clients made before call the old one. */
    restart: async () => {
      await content.stop();
      content = await startReplica();
    },
    /** Where `url` is, and how a raw request is signed. */
    call: (tenantId: string, method: string, path: string) => ({
      url: content.url,
      headers: principalHeaders(
        ownerOf(tenantId),
        { method, path, requestId: randomUUID(), traceparent: newTraceparent() },
        secret,
      ),
    }),
    /** A client of a tenant of its own. */
    newTenant: (tenantId: string = randomUUID(), url = content.url) => ({
      tenantId,
      ...signedClient(url, secret, { tenantId }),
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
