// Settles an attempt: its result and what follows go into the database in one transaction, then the message for the next
// step is published. Attempts that end while others are being settled share the next transaction.
//
// A crash before the commit repeats the attempt (at-least-once). After a later crash the sweep publishes the message.
import type { Publisher } from "@tradepost/messaging";
import { backoff, batch, type Logger, sleep, withoutRedaction } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { type AttemptTransition, reasonOf, transitionAfter, type Wait } from "../delivery/delivery.ts";
import { jobMessage } from "../delivery/job.ts";
import { publishJobs } from "../delivery/publish-jobs.ts";
import { retryQueue } from "../delivery/retry-schedule.ts";
import type { MadeAttempt, SettledDelivery } from "./apply-transitions.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { publishDeadLetter } from "./publish-dead-letter.ts";
import { type Recorded, recordAttempts } from "./record-attempts.ts";
import type { Attempt } from "./send.ts";

export type Settle = (delivery: ClaimedDelivery, attempt: Attempt) => Promise<void>;

const BATCH_ATTEMPTS_MAX = 200;
// If a row is locked for longer, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;
// About 40 s in all, enough for a restart of the database. The sweep sends again what could not be settled.
const TRIES_MAX = 12;
const RETRY_BACKOFF = { minMs: 100, maxMs: 5_000 };

export function startSettle(options: {
  pool: Pool;
  publisher: Publisher;
  schedule: readonly Wait[];
  /** After this signal a failure to record is not retried: the attempt is repeated later, and the stop is not delayed. */
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
        publishJobs(publisher, admitted),
      ]);
      return made.map(() => undefined);
    },
  });
  return async (delivery, attempt) => {
    const transition = transitionAfter(delivery.attempt, attempt.outcome, schedule);
    await settle({ delivery, attempt, transition });
    summaries.info(summary(delivery, attempt, transition, schedule.length + 1), "delivery attempted");
  };
}

/** Retries while the database is unavailable, because giving up repeats requests that receivers have already handled. */
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
      logger.warn({ err: error, tries }, "attempts not recorded; retrying");
      await sleep(backoff(tries - 1, RETRY_BACKOFF), stopping);
    }
  }
}

/** The sweep publishes again what the broker does not confirm. */
async function publishNext(
  pool: Pool,
  publisher: Publisher,
  { delivery, transition, attempt }: MadeAttempt,
  settled: SettledDelivery | undefined,
): Promise<void> {
  if (transition.name === "attempt failed" && settled?.status === "retrying") {
    await publisher.publish(
      jobMessage(retryQueue(transition.wait.label), { ...delivery, attempt: delivery.attempt + 1 }),
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

function summary(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  transition: AttemptTransition,
  attemptsMax: number,
) {
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
    transition: transition.name,
    ...(transition.name === "attempt failed" && { wait: transition.wait.label }),
  };
}
