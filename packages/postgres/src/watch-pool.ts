// The metrics of the database pools (interface §14).
import { type Metrics, sharedRead } from "@tradepost/runtime";
import type { Pool } from "pg";

/** Adds the pool to the process's totals. */
export function watchPool(metrics: Metrics, pool: Pool): void {
  metrics.sumGauge(
    "postgres_pool_connections",
    "Connections to the database, of all pools of this process.",
    ["state"],
    () => [
      { labels: { state: "active" }, value: pool.totalCount - pool.idleCount },
      { labels: { state: "idle" }, value: pool.idleCount },
    ],
  );
  metrics.sumGauge(
    "postgres_pool_waiting",
    "Statements and transactions that wait for a connection to the database.",
    [],
    () => [{ labels: {}, value: pool.waitingCount }],
  );
}

interface Archiver {
  readonly archives: boolean;
  readonly isFailing: boolean;
  readonly ageSeconds: number;
}

const ARCHIVER = `
  select current_setting('archive_mode') <> 'off' as archives,
         coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
         extract(epoch from clock_timestamp() - coalesce(last_archived_time, stats_reset))::float as "ageSeconds"
    from pg_stat_archiver`;

/** Exposes how the archiving of the server's WAL goes (docs/runbooks/restore.md). A server that does not archive has no values. */
export function watchArchive(metrics: Metrics, pool: Pool): void {
  const read = sharedRead(async () => {
    const { rows } = await pool.query<Archiver>(ARCHIVER);
    if (rows[0]?.archives !== true) throw new Error("the server does not archive its WAL");
    return rows[0];
  });
  metrics.gauge(
    "postgres_archive_failing",
    "1 if the database server's last attempt to archive its WAL failed.",
    [],
    async (gauge) => gauge.set((await read()).isFailing ? 1 : 0),
  );
  metrics.gauge(
    "postgres_archive_age_seconds",
    "Seconds since the database server archived a file of its WAL. An idle server archives none.",
    [],
    async (gauge) => gauge.set((await read()).ageSeconds),
  );
}
