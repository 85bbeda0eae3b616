// The metrics of the database pools (interface §14).
import { type Metrics, sharedRead } from "@tradepost/runtime";
import type { Pool } from "pg";

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

// A base backup leaves a history file in this folder until the next one. create-roles.sql grants the function.
const BASE_BACKUP = `
  select extract(epoch from clock_timestamp() - max(modification))::float as "ageSeconds"
    from pg_ls_archive_statusdir() where name like '%.backup.%'`;

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
  metrics.gauge(
    "postgres_base_backup_age_seconds",
    "Seconds since a base backup of the database server ended.",
    [],
    async (gauge) => {
      const { rows } = await pool.query<{ ageSeconds: number | null }>(BASE_BACKUP);
      const age = rows[0]?.ageSeconds ?? null;
      if (age === null) throw new Error("the server has no base backup, or forgot it");
      gauge.set(age);
    },
  );
}
