// A feed over an outbox in a database of its own, served over HTTP. No relay runs: `publish` moves the events.
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { feedQuery, startChangeFeed } from "@tradepost/change-feed";
import { identifyBySignature, refusedSignatures, route, serveHttp, startListening } from "@tradepost/http";
import { isDatabaseUnavailable } from "@tradepost/postgres";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { createTestDatabase, openTestPool, signedClient } from "@tradepost/testing";
import pg from "pg";

const TYPES = ["note.added", "note.changed", "note.removed"];
export const KEEP_DAYS = 30;

/** An event to commit. By default `note.added` with the data `{}`, at the current time. */
export interface TestEvent {
  readonly type?: string;
  /** JSON text. */
  readonly data?: string;
  readonly occurredAt?: string;
}

export type TestFeed = Awaited<ReturnType<typeof startTestFeed>>;

const TENANTS_ROLE = "tradepost_feed_test";
const WATCH_ROLE = "tradepost_feed_test_watch";

const INSERT = `
  insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, occurred_at)
  select event_id, event_id, type, $1, 'request-1', '', '{"type":"user","id":"u-1","name":"Ada"}', data, occurred_at
    from unnest($2::uuid[], $3::text[], $4::json[], $5::timestamptz[])
         with ordinality as event (event_id, type, data, occurred_at, position)
   order by position`;

export async function startTestFeed() {
  const running = new AsyncDisposableStack();
  const database = await createTestDatabase();
  running.defer(database.drop);
  const pool = openTestPool(database.url, 4);
  running.defer(() => pool.end());
  await createTables(pool);
  const secret = randomBytes(32).toString("hex");
  const insert = async (client: pg.Pool | pg.Client, tenantId: string, events: readonly TestEvent[]) => {
    const ids: string[] = events.map(() => randomUUID());
    await client.query(INSERT, [
      tenantId,
      ids,
      events.map(({ type = "note.added" }) => type),
      events.map(({ data = "{}" }) => data),
      events.map(({ occurredAt }) => occurredAt ?? new Date().toISOString()),
    ]);
    return ids;
  };
  const first = await startReplica(database.url, secret);
  running.defer(first.stop);
  return {
    url: first.url,
    databaseUrl: database.url,
    watchRole: WATCH_ROLE,
    /** Starts another replica, for the scope of `await using`. */
    startReplica: () => startReplica(database.url, secret),
    query: (text: string, values: unknown[] = []) => pool.query(text, values),
    openTenant: () => {
      const tenantId: string = randomUUID();
      /** A client of the same tenant for another replica. */
      const clientAt = (url: string) => signedClient(url, secret, { tenantId });
      return { tenantId, client: clientAt(first.url), clientAt };
    },
    /** Commits events in one transaction. */
    commit: (tenantId: string, events: readonly TestEvent[] = [{}]) => insert(pool, tenantId, events),
    /** Opens a transaction and gives it an id. Until it ends, it hides events that are committed meanwhile. */
    openTransaction: async () => {
      const client = new pg.Client(database.url);
      await client.connect();
      await client.query("begin");
      await client.query("select pg_current_xact_id()");
      return {
        insert: (tenantId: string) => insert(client, tenantId, [{}]),
        commit: async () => {
          await client.query("commit");
          await client.end();
        },
      };
    },
    /** Moves the events from the outbox to the published ones, as the relay does. */
    publish: () =>
      pool.query(`
        with published as (
          delete from outbox returning id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                       actor, data, size_bytes, xid
        )
        insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                      actor, data, size_bytes, xid)
        select * from published`),
    stop: () => running.disposeAsync(),
  };
}

/** Creates the tables as a service's migrations do. Published events are kept since the start of today. */
async function createTables(pool: pg.Pool): Promise<void> {
  for (const [packageName, files] of [
    ["messaging", null],
    ["postgres", ["restores.sql"]],
  ] as const) {
    const folder = new URL(`../../../${packageName}/sql/`, import.meta.url);
    for (const file of files ?? (await readdir(folder)).sort())
      await pool.query(await readFile(new URL(file, folder), "utf8"));
  }
  const today = new Date().toISOString().slice(0, 10);
  const isTenant = "tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid";
  await pool.query(`
    create table published_events_${today.replaceAll("-", "")} partition of published_events
      for values from ('${today} 00:00:00Z') to (timestamptz '${today} 00:00:00Z' + interval '1 day');
    ${[TENANTS_ROLE, WATCH_ROLE].map(createRole).join("\n")}
    grant select on outbox, published_events, restores to ${TENANTS_ROLE};
    grant select, update (xid) on outbox, published_events to ${WATCH_ROLE};
    grant select on sequence outbox_id_seq to ${WATCH_ROLE};
    alter table outbox enable row level security;
    alter table published_events enable row level security;
    create policy one_tenant on outbox for select to ${TENANTS_ROLE} using (${isTenant});
    create policy one_tenant on published_events for select to ${TENANTS_ROLE} using (${isTenant});
    create policy all_tenants on outbox to ${WATCH_ROLE} using (true);
    create policy all_tenants on published_events to ${WATCH_ROLE} using (true)`);
}

/** Creates a role if it does not exist. Roles belong to the server, which the test files share. */
const createRole = (role: string) => `
  do $$ begin create role ${role} nologin; exception when duplicate_object or unique_violation then null; end $$;
  do $$ begin
    if not (select rolsuper from pg_roles where rolname = current_user) then grant ${role} to current_user; end if;
  end $$;`;

async function startReplica(databaseUrl: string, secret: string) {
  const logger = createLogger("test", "silent");
  const metrics = createMetrics("test");
  const feed = startChangeFeed({
    service: "test",
    database: { url: databaseUrl },
    tenantsRole: TENANTS_ROLE,
    watchRole: WATCH_ROLE,
    keepDays: KEEP_DAYS,
    ...{ metrics, logger },
  });
  const events = route("GET /v1/events", {
    module: null,
    role: "viewer",
    scope: null,
    query: feedQuery(TYPES),
    about: null,
    handle: feed.list,
  });
  const server = serveHttp({
    listener: await startListening({ host: "127.0.0.1", port: 0 }),
    idleGraceMs: 0,
    routes: [events],
    identify: identifyBySignature([secret], refusedSignatures(metrics, logger)),
    readiness: {},
    replicated: async () => {},
    isUnavailable: isDatabaseUnavailable,
    onStop: feed.endWaits,
    metricsOn: "this port",
    ...{ metrics, logger },
  });
  const stop = async () => {
    await server.stop();
    await feed.stop();
  };
  return { url: server.url, stop, [Symbol.asyncDispose]: stop };
}
