// Settles attempts: stores their results, then publishes the message for the next step. A success at a healthy endpoint takes
// one statement, which also claims the next deliveries; anything else takes a transaction that locks the subscription. Attempts
// that end meanwhile share the next batch.
//
// A crash before the commit repeats the attempt (at-least-once). After a later crash the sweep takes the next step.
import type { Publisher } from "@tradepost/messaging";
import { backoff, batch, type Logger, sleep, withoutRedaction } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import {
  attempts,
  type claims,
  deadLetters,
  jobs,
  reasonOf,
  type settlement,
} from "../../delivery/delivery.ts";
import { retryQueue, type Wait } from "../../topology.ts";
import type { StartedDelivery } from "../attempt/started-delivery.ts";
import { type Patience, transitionAfter } from "../next-attempt.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import type { EndedSlot, Reservation, Scheduler } from "../scheduler/scheduler.ts";
import { orCancel } from "../start-reserved.ts";
import { claimRestrained } from "./claim-restrained.ts";
import { startClaimed } from "./claim-waiting.ts";
import { attemptSummary, type CountAttempt } from "./observe-attempts.ts";
import { recordAttempts } from "./record-attempts.ts";
import { recordSuccesses } from "./record-successes.ts";

export type Settle = (started: StartedDelivery, attempt: attempts.Attempt) => Promise<void>;

interface EndedAttempt extends settlement.MadeAttempt {
  readonly delivery: claims.ClaimedDelivery;
  readonly ended: EndedSlot;
  readonly standings: readonly EndpointState[];
}

const BATCH_ATTEMPTS_MAX = 200;
// If a batch waits longer for a locked row, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;
// About 40 s, enough for a restart of the database. Then the attempts are repeated.
const TRIES_MAX = 12;
const RETRY_BACKOFF = { minMs: 100, maxMs: 5_000 };

interface Options {
  pool: Pool;
  publisher: Publisher;
  scheduler: Scheduler;
  schedule: readonly Wait[];
  lockMs: number;
  start: (started: readonly StartedDelivery[]) => void;
  onFree: () => void;
  onNotice: () => void;
  patience: Patience;
  countAttempt: CountAttempt;
  /** Once it aborts, nothing is retried, so that the stop is not delayed: attempts are repeated later. */
  stopping: AbortSignal;
  logger: Logger;
}

export function createSettle(options: Options): Settle {
  const { scheduler, schedule, onFree, countAttempt, logger } = options;
  const summaries = withoutRedaction(logger);
  const { settleSuccess, settleOther } = createBatches(options);
  return async (started, attempt) => {
    const { delivery, slot } = started;
    countAttempt(started, attempt);
    const transition = transitionAfter(delivery.attempt, attempt.outcome, schedule);
    const { outcome, durationMs, holdMs } = attempt;
    const ended = { slot, outcome, durationMs, holdMs };
    const standings = scheduler.end([ended]);
    const isRoutine = outcome === "delivered" && delivery.isRecordedHealthy && scheduler.isHealthy(slot);
    const made = { delivery, attempt, transition };
    const settled = (isRoutine ? settleSuccess : settleOther)({ ...made, ended, standings });
    if (!isRoutine) onFree();
    await settled;
    summaries.info(attemptSummary(made, schedule.length + 1), "delivery attempted");
  };
}

function createBatches(options: Options) {
  const { pool, publisher, scheduler, lockMs, start, onFree, onNotice, patience, stopping, logger } = options;
  const bodies = attempts.createResponseBodies();
  const retried = <Result>(record: () => Promise<Result>) => retry(record, stopping, logger);
  const record = async (made: readonly settlement.MadeAttempt[], standings: readonly EndpointState[]) => {
    const recorded = await retried(() => recordAttempts(pool, bodies, made, standings, { patience }));
    for (const { tenantId, subscriptionId, kind, subject } of recorded.opened)
      logger.warn({ tenantId, subscriptionId, kind, subject }, "notice opened");
    if (recorded.isNoticed) onNotice();
    return recorded.settled;
  };
  const startLater = (claim: Promise<StartedDelivery[]>, warning: string) =>
    void claim.then(start, (error: unknown) => logger.warn({ err: error }, warning));
  /** Claims deliveries of restrained endpoints here, in a transaction of their own. */
  const reserveNext = (): Reservation[] => {
    if (stopping.aborted) return [];
    const next = scheduler.next(BATCH_ATTEMPTS_MAX);
    const restrained = next.filter(({ isRestrained }) => isRestrained);
    if (restrained.length > 0) {
      const claim = claimRestrained(pool, scheduler, restrained, lockMs);
      startLater(claim, "deliveries of restrained endpoints not claimed; they wait");
    }
    return next.filter(({ isRestrained }) => !isRestrained);
  };
  const limits = { itemsMax: BATCH_ATTEMPTS_MAX, maxWaitMs: MAX_WAIT_MS };

  const settleSuccess = batch<EndedAttempt, void>({
    ...limits,
    work: async (made) => {
      const reserved = reserveNext();
      const successes = { made, standings: changedStandings(made), reserved };
      const recorded = retried(() => recordSuccesses(pool, bodies, successes, lockMs));
      const { rest, claimed } = await orCancel(scheduler, reserved, recorded);
      failPoint("settle.successes-committed");
      scheduler.recorded(made.map(({ ended }) => ended));
      const claim = startClaimed(pool, scheduler, reserved, claimed);
      startLater(claim, "events of claimed deliveries not read; their claims expire");
      if (rest.length > 0) await record(rest, []);
      return made.map(() => undefined);
    },
  });

  const settleOther = batch<EndedAttempt, void>({
    ...limits,
    work: async (made) => {
      const ended = made.map((one) => one.ended);
      const settled = await record(made, changedStandings(made)).catch((error: unknown) => {
        scheduler.givenUp(ended);
        throw error;
      });
      failPoint("settle.committed");
      scheduler.recorded(ended);
      onFree();
      await Promise.all(
        made.map((one) => publishNext(pool, publisher, one, settled.get(one.delivery.deliveryId))),
      );
      return made.map(() => undefined);
    },
  });

  return { settleSuccess, settleOther };
}

/** Giving up would repeat requests that receivers have already handled. */
async function retry<Result>(
  record: () => Promise<Result>,
  stopping: AbortSignal,
  logger: Logger,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await record();
    } catch (error) {
      if (tries === TRIES_MAX || stopping.aborted) throw error;
      logger.warn({ err: error, tries }, "attempts not recorded; retrying");
      await sleep(backoff(tries - 1, RETRY_BACKOFF), stopping);
    }
  }
}

function changedStandings(made: readonly EndedAttempt[]): EndpointState[] {
  const states = made.flatMap(({ standings }) => standings);
  return [...new Map(states.map((state) => [state.subscriptionId, state])).values()];
}

/** The sweep finds what the broker does not confirm. */
async function publishNext(
  pool: Pool,
  publisher: Publisher,
  { delivery, transition, attempt }: settlement.MadeAttempt,
  settled: settlement.SettledDelivery | undefined,
): Promise<void> {
  if (transition.name === "attempt failed" && settled?.status === "retrying") {
    await publisher.publish(
      jobs.messageOf(retryQueue(transition.wait.label), { ...delivery, attempt: delivery.attempt + 1 }),
    );
    failPoint("settle.retry-published");
  }
  if (settled?.status === "failed") {
    await deadLetters.publish(pool, publisher, {
      ...delivery,
      reason: reasonOf(attempt),
      failedAt: settled.at,
    });
  }
}
