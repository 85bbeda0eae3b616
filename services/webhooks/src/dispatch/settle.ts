// Settles an attempt: what happened and what follows go into the database in one transaction; then the message for the
// next step goes to the broker. Attempts that end while others are settled share the next transaction.
//
// A crash before the commit repeats the attempt (at-least-once). A crash after it leaves the next step to the sweep.
import type { Publisher } from "@tradepost/messaging";
import { backoff, batch, type Logger, sleep, withoutRedaction } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { afterAttempt, reasonOf, type Verdict, type Wait } from "../delivery/delivery.ts";
import { jobMessage } from "../delivery/job.ts";
import { retryQueue } from "../delivery/retry-schedule.ts";
import { DELIVERIES_QUEUE } from "../topology.ts";
import type { MadeAttempt, SettledDelivery } from "./apply-transitions.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { publishDeadLetter } from "./publish-dead-letter.ts";
import { type Recorded, recordAttempts } from "./record-attempts.ts";
import type { Attempt } from "./send.ts";

export type Settle = (delivery: ClaimedDelivery, attempt: Attempt) => Promise<void>;

const BATCH_ATTEMPTS_MAX = 200;
// Where a row is locked for longer, the attempts after it do not wait for it.
const MAX_WAIT_MS = 50;
// Long enough for a restart of the database; the sweep sends again what could not be settled at all.
const TRIES_MAX = 12;
const RETRY_BACKOFF = { minMs: 100, maxMs: 5_000 };

export function startSettle(options: {
  pool: Pool;
  publisher: Publisher;
  schedule: readonly Wait[];
  /** From then on a failure to record is final: the attempt is repeated rather than the stop held up. */
  stopping: AbortSignal;
  logger: Logger;
}): Settle {
  const { pool, publisher, schedule, stopping, logger } = options;
  const summaries = withoutRedaction(logger);
  const settle = batch<MadeAttempt, undefined>({
    itemsMax: BATCH_ATTEMPTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (made) => {
      const { settled, admitted } = await tryUntilRecorded(pool, made, stopping, logger);
      failPoint("settle.committed");
      await Promise.all([
        ...made.map((one) => publishNext(pool, publisher, one, settled.get(one.delivery.deliveryId))),
        ...admitted.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))),
      ]);
      return made.map(() => undefined);
    },
  });
  return async (delivery, attempt) => {
    const verdict = afterAttempt(delivery.attempt, attempt.outcome, schedule);
    await settle({ delivery, attempt, verdict });
    summaries.info(summary(delivery, attempt, verdict, schedule.length + 1), "delivery attempted");
  };
}

/** Giving up would repeat requests that were made, so the database is given time to come back. */
async function tryUntilRecorded(
  pool: Pool,
  made: readonly MadeAttempt[],
  stopping: AbortSignal,
  logger: Logger,
): Promise<Recorded> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await recordAttempts(pool, made);
    } catch (error) {
      if (tries === TRIES_MAX || stopping.aborted) throw error;
      logger.warn({ err: error, tries }, "attempts not recorded; trying again");
      await sleep(backoff(tries - 1, RETRY_BACKOFF), stopping);
    }
  }
}

/** What is not confirmed here is found by the sweep. */
async function publishNext(
  pool: Pool,
  publisher: Publisher,
  { delivery, verdict, attempt }: MadeAttempt,
  settled: SettledDelivery | undefined,
): Promise<void> {
  if (verdict.happening === "attempt failed" && settled?.status === "retrying") {
    await publisher.publish(
      jobMessage(retryQueue(verdict.wait.label), { ...delivery, attempt: delivery.attempt + 1 }),
    );
    failPoint("settle.retry-published");
  }
  if (settled?.status === "failed") {
    await publishDeadLetter(pool, publisher, {
      ...delivery,
      reason: reasonOf(attempt),
      failedAt: settled.at,
    });
  }
}

function summary(delivery: ClaimedDelivery, attempt: Attempt, verdict: Verdict, attemptsMax: number) {
  return {
    deliveryId: delivery.deliveryId,
    eventId: delivery.eventId,
    tenantId: delivery.tenantId,
    subscriptionId: delivery.subscriptionId,
    requestId: delivery.requestId,
    type: delivery.type,
    attempt: delivery.attempt,
    attemptsMax,
    outcome: attempt.outcome,
    statusCode: attempt.statusCode,
    durationMs: attempt.durationMs,
    verdict: verdict.happening,
    ...(verdict.happening === "attempt failed" && { wait: verdict.wait.label }),
  };
}
