// Records the result of an attempt that a listener's client made, as dispatch records its own. Results that arrive while others
// are being recorded share the next transaction.
import { ApiError } from "@tradepost/http";
import type { Publisher } from "@tradepost/messaging";
import { toStatement } from "@tradepost/postgres";
import { batch, type Logger, withoutRedaction } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";
import { attempts, type claims, deadLetters, reasonOf, type settlement } from "../delivery/delivery.ts";
import type { Outcome } from "../delivery-status.ts";
import { attemptSummary, recordAttempts, transitionAfter } from "../sending/sending.ts";
import type { Wait } from "../topology.ts";
import { type ListenerId, leaseIdOf } from "./lease-deliveries.ts";
import type { ReportedResult } from "./listener-input.ts";

/**
 * Recording the same result again changes nothing. Returns false if there is no such listener or delivery.
 * @throws 409 `lease_lost` if another client has leased the attempt since; `conflict` if the attempt is not the current one, or has
 * another result.
 */
export type ReportResult = (id: ListenerId, deliveryId: string, result: ReportedResult) => Promise<boolean>;

const BATCH_ATTEMPTS_MAX = 200;
const MAX_WAIT_MS = 50;
// Another try follows if another result or a redelivery came first.
const TRIES_MAX = 5;

export function createReportResult(options: {
  pool: Pool;
  publisher: Publisher;
  schedule: readonly Wait[];
  onRecorded: (listenerId: string) => void;
  logger: Logger;
}): ReportResult {
  const { pool, publisher, schedule, onRecorded, logger } = options;
  const summaries = withoutRedaction(logger);
  const bodies = attempts.createResponseBodies();

  const record = batch<settlement.MadeAttempt, settlement.SettledDelivery | undefined>({
    itemsMax: BATCH_ATTEMPTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (made) => {
      const first = firstOfEach(made);
      const { settled } = await recordAttempts(pool, bodies, [...first], [], { logged: "settled" });
      return made.map((one) => (first.has(one) ? settled.get(one.delivery.deliveryId) : undefined));
    },
  });

  /** Returns false if another result came first. */
  async function settle(made: settlement.MadeAttempt): Promise<boolean> {
    const settled = await record(made);
    if (settled === undefined) return false;
    const { delivery, attempt } = made;
    onRecorded(delivery.subscriptionId);
    summaries.info(attemptSummary(made, schedule.length + 1), "leased delivery attempted");
    if (settled.status === "failed") {
      const dead = { ...delivery, reason: reasonOf(attempt), failedAt: settled.at };
      // The client does not wait for the broker. The sweep publishes again what is not confirmed.
      deadLetters
        .publish(pool, publisher, dead)
        .catch((error) =>
          logger.warn({ err: error, deliveryId: delivery.deliveryId }, "a dead letter was not published"),
        );
    }
    return true;
  }

  return async ({ tenantId, listenerId }, deliveryId, result) => {
    const { attempt, outcome, statusCode, responseBody, durationMs } = result;
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const { rows } = await pool.query<Facts>(findFacts({ tenantId, listenerId }, deliveryId, attempt));
      const [facts] = rows;
      if (facts === undefined) return false;
      const leasedAt = facts.isOpen && facts.attemptCount === attempt - 1 ? facts.leasedAt : null;
      const heldFrom = leasedAt ?? facts.recordedAt;
      const isLost =
        result.leaseId === undefined
          ? leasedAt !== null && facts.isLeasedAgain
          : heldFrom !== null && result.leaseId !== leaseIdOf(heldFrom);
      if (isLost) throw new ApiError("lease_lost", "Another client has leased the delivery since.");
      if (leasedAt === null) {
        if (isSame(result, facts)) return true;
        throw new ApiError("conflict", whyNot(result, facts));
      }
      const isSettled = await settle({
        delivery: { ...facts, tenantId, deliveryId, attempt, subscriptionId: listenerId, leasedAt },
        attempt: { at: leasedAt, durationMs, outcome, statusCode, responseBody, holdMs: null },
        transition: transitionAfter(attempt, outcome, schedule),
      });
      if (isSettled) return true;
    }
    throw new ApiError("conflict", "Other requests changed the delivery at the same time; try again.");
  };
}

function firstOfEach(made: readonly settlement.MadeAttempt[]): Set<settlement.MadeAttempt> {
  const byDelivery = Map.groupBy(made, ({ delivery }) => delivery.deliveryId);
  return new Set([...byDelivery.values()].flatMap(([first]) => (first === undefined ? [] : [first])));
}

interface Facts
  extends Pick<
    claims.AttemptedDelivery,
    "generation" | "eventId" | "type" | "requestId" | "traceparent" | "subscriptionVersion"
  > {
  readonly attemptCount: number;
  readonly isOpen: boolean;
  readonly leasedAt: Date | null;
  readonly isLeasedAgain: boolean;
  readonly recordedOutcome: Outcome | null;
  readonly recordedStatusCode: number | null;
  readonly recordedAt: Date | null;
}

function isSame(result: ReportedResult, { recordedOutcome, recordedStatusCode }: Facts): boolean {
  return result.outcome === recordedOutcome && result.statusCode === recordedStatusCode;
}

function whyNot({ attempt }: ReportedResult, facts: Facts): string {
  const { attemptCount, isOpen, recordedOutcome: outcome, recordedStatusCode: statusCode } = facts;
  if (outcome !== null) return `Attempt ${attempt} has ended already: ${reasonOf({ outcome, statusCode })}.`;
  if (!isOpen) return `The delivery has ended after ${attemptCount} attempts.`;
  if (attempt === attemptCount + 1) return `Attempt ${attempt} is not leased.`;
  return `Attempt ${attempt} is not the current one, which is ${attemptCount + 1}.`;
}

const findFacts = ({ tenantId, listenerId }: ListenerId, deliveryId: string, attempt: number) =>
  toStatement(sql`
  select delivery.generation, delivery.attempt_count as "attemptCount", delivery.is_open as "isOpen",
         delivery.leased_at as "leasedAt", delivery.is_leased_again as "isLeasedAgain", delivery.event_id as "eventId", delivery.type,
         coalesce(event.request_id, '') as "requestId", event.traceparent, subscription.version as "subscriptionVersion",
         made.outcome as "recordedOutcome", made.status_code as "recordedStatusCode", made.at as "recordedAt"
    from (select version from subscriptions where tenant_id = ${tenantId} and id = ${listenerId} and url is null) subscription
   cross join lateral (
     (select generation, attempt_count, true as is_open, enqueued_at as leased_at,
             coalesce(leased_again, false) as is_leased_again, event_id, type
        from deliveries
       where tenant_id = ${tenantId} and id = ${deliveryId} and subscription_id = ${listenerId}
       limit 1)
     union all
     (select generation, attempt_count, false, null, false, event_id, type
        from delivery_log
       where tenant_id = ${tenantId} and id = ${deliveryId} and subscription_id = ${listenerId}
       limit 1)
     limit 1
   ) delivery
    left join lateral (
     select request_id, traceparent from events where events.tenant_id = ${tenantId} and events.id = delivery.event_id limit 1
   ) event on true
    left join lateral (
     select outcome, status_code, at from attempts
      where attempts.tenant_id = ${tenantId} and attempts.delivery_id = ${deliveryId} and attempts.generation = delivery.generation
        and attempts.attempt = ${attempt}
      order by at
      limit 1
   ) made on true`);
