// The outbox's tables in a test database, created by the SQL that the services' migrations include.
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { openTestPool, until } from "@tradepost/testing";
import type pg from "pg";

/** The shared SQL files, which migrations include in this order. */
export const SQL_FOLDER = new URL("../../sql/", import.meta.url);

export const TENANT_ID = "0198a000-0000-7000-8000-000000000001";
export const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** An event to commit; `number` counts the events of its aggregate. */
interface TestEvent {
  readonly aggregateId: string;
  readonly number: number;
  readonly type?: string;
  readonly traceparent?: string;
  /** JSON text. */
  readonly data?: string;
}

const INSERT = `
  insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
  select event_id, aggregate_id, type, '${TENANT_ID}', 'request-1', traceparent,
         '{"type":"user","id":"u-1","name":"Ada"}', data
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[])
         with ordinality as event (event_id, aggregate_id, type, traceparent, data, position)
   order by position`;

interface OutboxRow {
  readonly event_id: string;
  readonly attempts: number;
  readonly last_error: string | null;
  readonly parked_at: Date | null;
}

export async function createOutbox(databaseUrl: string) {
  const pool = openTestPool(databaseUrl, 4);
  for (const file of (await readdir(SQL_FOLDER)).sort())
    await pool.query(await readFile(new URL(file, SQL_FOLDER), "utf8"));
  const finds = async (text: string, values?: unknown[]) => (await pool.query(text, values)).rows.length > 0;
  const isReplaying = () => finds("select from replay");
  /** The rows in the outbox, oldest first. */
  const rows = async () =>
    (await pool.query<OutboxRow>("select event_id, attempts, last_error, parked_at from outbox order by id"))
      .rows;
  return {
    pool,
    /** Commits the events in one transaction, in this order, and returns their ids. */
    commit: async (events: readonly TestEvent[]) => {
      const ids: string[] = events.map(() => randomUUID());
      await pool.query(INSERT, [
        ids,
        events.map(({ aggregateId }) => aggregateId),
        events.map(({ type }) => type ?? "order.placed"),
        events.map(({ traceparent }) => traceparent ?? TRACEPARENT),
        events.map(({ aggregateId, number, data }) => data ?? JSON.stringify({ aggregateId, number })),
      ]);
      return ids;
    },
    rows,
    isEmpty: async () => (await rows()).length === 0,
    requestReplay: () =>
      pool.query(
        "insert into replay (until) values (clock_timestamp()) on conflict (only_one) do update set until = excluded.until",
      ),
    isReplaying,
    untilReplayed: () => until("the end of the replay", async () => !(await isReplaying())),
    finds,
    /** Opens a transaction that locks these shards as a relay does. */
    lockShards: async (shards: readonly number[] = [0, 1, 2, 3]) => {
      const client = await pool.connect();
      await client.query("begin");
      await client.query(
        "select pg_advisory_xact_lock(hashtext('tradepost.outbox'), shard) from unnest($1::int[]) shard",
        [shards],
      );
      return client;
    },
    close: () => pool.end(),
  };
}

/** Inserts events that were published at these times, an SQL expression with the number `n` of the event. Returns their ids. */
export async function insertPublished(
  client: Pick<pg.ClientBase, "query">,
  count: number,
  publishedAt: string,
  sizeBytes = "2",
): Promise<string[]> {
  const { rows } = await client.query<{ event_id: string }>(
    `insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                   actor, data, published_at, size_bytes)
     select n, gen_random_uuid(), gen_random_uuid(), 'order.placed', $2, now(), 'request-1', $3,
            '{"type":"user","id":"u-1","name":"Ada"}', '{}', ${publishedAt}, ${sizeBytes}
       from generate_series(1, $1::integer) n
     returning event_id`,
    [count, TENANT_ID, TRACEPARENT],
  );
  return rows.map(({ event_id }) => event_id);
}
