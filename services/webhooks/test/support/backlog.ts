// Inserts a large backlog of a subscription into the database, as after days in which its endpoint was down.
import { sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import type { TestTenant } from "./webhooks.ts";

// Most wait for their first attempt, every fourth for a retry in an hour. Ids ascend with the time of creation, as real
// ones do.
const INSERT_BACKLOG = `
  with made as (
    select n, gen_random_uuid() as event_id, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id,
           now() - interval '1 day' + n * interval '1 ms' as created_at
      from generate_series(1, $3) n
  ), of_events as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
    select $1::uuid, event_id, 'redirect.added', created_at, 'backlog', '{"redirect":{}}', 1 from made
  )
  insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, attempt_count, created_at,
                          next_attempt_at, queue_state)
  select $1, id, $2, event_id, 'redirect.added', case when n % 4 = 0 or $4 = 'delayed' then 'retrying' else 'pending' end,
         case when n % 4 = 0 or $4 = 'delayed' then 1 else 0 end, created_at,
         case when n % 4 = 0 or $4 = 'delayed' then now() + interval '1 hour' else created_at end,
         case when n % 4 = 0 or $4 = 'delayed' then 'delayed' else 'waiting' end
    from made`;

/** Returns the ids of the oldest and the newest delivery. */
export async function insertBacklog(
  pool: Pool,
  tenant: TestTenant,
  subscriptionId: string,
  count: number,
  queueState: "waiting" | "delayed" = "waiting",
) {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query(INSERT_BACKLOG, [tenant.tenantId, subscriptionId, count, queueState]);
  } finally {
    client.release(true);
  }
  return { oldest: idOf(1), newest: idOf(count) };
}

/** The position of a delivery in the backlog, from 1. */
export function rankOf(deliveryId: string): number {
  return Number.parseInt(deliveryId.slice(24), 16);
}

function idOf(rank: number): string {
  return `00000000-0000-7000-8000-${rank.toString(16).padStart(12, "0")}`;
}

/** Runs `work`. Returns the longest time in ms that a statement of the service waited for a lock meanwhile. */
export async function longestLockWait(pool: Pool, work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const { rows } = await pool.query<{ ms: number | null }>(
        `select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float as ms from pg_stat_activity
          where datname = current_database() and application_name = 'webhooks' and wait_event_type = 'Lock'`,
      );
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0);
      await sleep(20);
    }
  })();
  try {
    await work();
  } finally {
    isWatching = false;
    await watching;
  }
  return longestMs;
}
