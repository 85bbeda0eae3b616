// The metrics of the database pools (interface §14).
import type { Metrics } from "@tradepost/runtime";
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
