// Limits the waiting deliveries of a tenant by age and number (interface §17). Beyond a bound, a delivery becomes a dead letter
// without another attempt. Deliveries of a paused subscription do not count.
import { inTransaction } from "@tradepost/postgres";
import { type Logger, type Metrics, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import type { Pool, PoolClient } from "pg";
import { waiting } from "../delivery/delivery.ts";
import { noteFailedDeliveries } from "../notices/notices.ts";

const LOOK_EVERY_MS = 60_000;
const BATCH_DELIVERIES = 500;
// An arbitrary number that nothing else in this database locks.
const LOCK = 712_017_001;

/** Only one replica at a time checks. */
export function startWaitingBounds(options: {
  pool: Pool;
  bounds: waiting.Bounds;
  lookEveryMs?: number | undefined;
  onNotice: () => void;
  metrics: Metrics;
  logger: Logger;
}): Pick<Repetition, "stop"> {
  const { pool, bounds, lookEveryMs = LOOK_EVERY_MS, onNotice, logger } = options;
  const given = options.metrics.counter(
    "webhooks_given_up_total",
    "Deliveries that waited beyond a bound and failed.",
    ["outcome"],
  );
  for (const outcome of ["expired", "overflow"]) given.inc({ outcome }, 0);
  const warning = "the bounds of what waits were not checked; retrying";
  return repeatOrWarn(logger, warning, lookEveryMs, async () => {
    let isFull = false;
    for (const outcome of ["expired", "overflow"] as const) {
      const count = await inTransaction(pool, (client) => giveUp(client, outcome, bounds));
      given.inc({ outcome }, count);
      if (count > 0) {
        logger.warn({ outcome, count }, "waiting deliveries have failed");
        onNotice();
      }
      isFull ||= count === BATCH_DELIVERIES;
    }
    return isFull ? 0 : lookEveryMs;
  });
}

async function giveUp(client: PoolClient, outcome: "expired" | "overflow", bounds: waiting.Bounds) {
  const { rows: locks } = await client.query<{ isMine: boolean }>(
    `select pg_try_advisory_xact_lock(${LOCK}) as "isMine"`,
  );
  if (locks[0]?.isMine !== true) return 0;
  const failed = await waiting.giveUp(client, outcome, bounds, BATCH_DELIVERIES);
  await noteFailedDeliveries(client, failed);
  return failed.length;
}
