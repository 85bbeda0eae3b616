// Puts back the deliveries and dead letters whose message the broker lost or never received.
import type { Publisher } from "@tradepost/messaging";
import {
  type Logger,
  type Metrics,
  type Repetition,
  repeatOrWarn,
  togetherWithOthers,
} from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { deadLetters, jobs, lost } from "../delivery/delivery.ts";
import { DELIVERIES_QUEUE } from "../topology.ts";

const SWEEP_EVERY_MS = 1_000;
// The longest wait of a dead letter whose message was lost.
const SWEEP_EVERY_MS_MAX = 5_000;
// A process that replaces a dead one does not wait a second for its first sweep.
const WHILE_DOWN_MS = 50;
const BATCH_DELIVERIES_MAX = 500;

/**
 * A delivery counts as lost `graceMs` after its time, because its message may wait in a long queue. A second copy of the message
 * costs a lookup but never a second request, because claims lock. Replicas skip each other's rows. Without open deliveries the next
 * sweep comes only when a delivery that starts now could be lost.
 */
export function startSweep(options: {
  pool: Pool;
  publisher: Publisher;
  graceMs: number;
  lockMs: number;
  logger: Logger;
  metrics: Metrics;
}): Pick<Repetition, "stop"> {
  const { pool, publisher, graceMs, lockMs, logger } = options;
  const lostAfterMs = Math.max(SWEEP_EVERY_MS, Math.min(graceMs, lockMs, SWEEP_EVERY_MS_MAX));
  const swept = options.metrics.counter("webhooks_swept_total", "Deliveries that the sweep put back.");
  return repeatOrWarn(logger, "sweep failed; retrying", SWEEP_EVERY_MS, async () => {
    if (!publisher.isUp()) return WHILE_DOWN_MS;
    const { isNeeded, hasOpen } = await lost.readState(pool, graceMs);
    if (!isNeeded) return hasOpen ? SWEEP_EVERY_MS : togetherWithOthers(lostAfterMs);
    const requeued = await lost.requeue(pool, graceMs, BATCH_DELIVERIES_MAX);
    const claimed = await lost.claim(pool, graceMs, BATCH_DELIVERIES_MAX);
    if (claimed.length > 0) failPoint("sweep.claimed");
    // A later sweep publishes again what the broker does not confirm.
    await Promise.all(claimed.map((job) => publisher.publish(jobs.messageOf(DELIVERIES_QUEUE, job))));
    const dead = await lost.findDeadLetters(pool);
    await Promise.all(dead.map((one) => deadLetters.publish(pool, publisher, one)));
    const count = Math.max(claimed.length, requeued);
    swept.inc(claimed.length + requeued);
    if (count > 0) logger.info({ queued: claimed.length, delayed: requeued }, "lost messages replaced");
    return count === BATCH_DELIVERIES_MAX ? 0 : SWEEP_EVERY_MS;
  });
}
