// The metrics of an outbox (interface §14).
import { type Metrics, sharedRead } from "@tradepost/runtime";
import type { Pool } from "pg";
import { SHARD_COUNT } from "./publish-shards.ts";

// Counting more takes seconds and adds no information: the age of the oldest event shows how serious a backlog is.
const COUNTED_MAX = 100_000;

export function watchOutbox(metrics: Metrics, pool: Pool): void {
  const read = sharedRead(async () => {
    const { rows } = await pool.query<Record<"pending" | "parked" | "oldestSeconds", unknown>>(COUNT);
    if (rows[0] === undefined) throw new Error("the outbox could not be counted");
    return rows[0];
  });
  const gauges = [
    ["outbox_pending", "pending", `Events not published yet, at most ${COUNTED_MAX}.`],
    [
      "outbox_oldest_seconds",
      "oldestSeconds",
      "Seconds since the commit of the oldest event that is not published yet; 0 without one.",
    ],
    ["outbox_parked", "parked", "Events that can never be published and wait for the operator."],
  ] as const;
  for (const [name, count, help] of gauges)
    metrics.gauge(name, `${help} Replicas report the same table: aggregate with max.`, [], async (gauge) =>
      gauge.set(Number((await read())[count])),
    );
}

// The oldest row of each shard is the first in the index. CLAIM in `publish-shards.ts` explains order and range.
const COUNT = `
  select (select count(*) from (select from outbox where parked_at is null limit ${COUNTED_MAX}) as pending) as pending,
         (select count(*) from (select from outbox where parked_at is not null limit ${COUNTED_MAX}) as parked) as parked,
         coalesce((select greatest(0, extract(epoch from clock_timestamp() - min(oldest.occurred_at)))
                     from generate_series(0, ${SHARD_COUNT - 1}) as each (shard),
                          lateral (select occurred_at from outbox
                                    where outbox.shard >= each.shard and outbox.shard <= each.shard and parked_at is null
                                    order by outbox.shard, id limit 1) as oldest), 0)::float as "oldestSeconds"`;
