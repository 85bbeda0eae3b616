// How an endpoint fares, told from its attempts (contract §7, `health`). Pure.
import { type Outcome, reasonOf } from "../delivery/delivery.ts";

/** This many failed attempts in a row make an endpoint `failing`; one success makes it `healthy` again. */
const FAILING_AFTER_FAILURES = 5;

export function healthStatus(consecutiveFailures: number): "healthy" | "failing" {
  return consecutiveFailures >= FAILING_AFTER_FAILURES ? "failing" : "healthy";
}

interface AttemptOfSubscription {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly at: Date;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
}

export interface HealthNews {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly hasSucceeded: boolean;
  /** Failures after the last success of the batch, or all of them where there was none. */
  readonly failuresSince: number;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastError: string | null;
}

/** In: a batch of attempts, in the order they ended. Out: one piece of news a subscription, in the order of their ids. */
export function healthAfter(attempts: readonly AttemptOfSubscription[]): HealthNews[] {
  const bySubscription = Map.groupBy(attempts, (attempt) => attempt.subscriptionId);
  return [...bySubscription.values()]
    .map(newsOf)
    .sort((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
}

function newsOf(attempts: readonly AttemptOfSubscription[]): HealthNews {
  const [{ tenantId, subscriptionId }] = attempts as [AttemptOfSubscription];
  const successes = attempts.filter(({ outcome }) => outcome === "delivered");
  const lastSuccess = successes.at(-1);
  const failures = attempts.filter(({ outcome }) => outcome !== "delivered");
  const lastFailure = failures.at(-1);
  const failuresSince =
    attempts.length - 1 - (lastSuccess === undefined ? -1 : attempts.lastIndexOf(lastSuccess));
  return {
    tenantId,
    subscriptionId,
    hasSucceeded: lastSuccess !== undefined,
    failuresSince,
    lastSuccessAt: lastSuccess?.at ?? null,
    lastFailureAt: lastFailure?.at ?? null,
    lastError: lastFailure === undefined ? null : reasonOf(lastFailure),
  };
}
