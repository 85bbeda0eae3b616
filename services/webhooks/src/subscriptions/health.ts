// Computes the health of an endpoint from its attempts (interface §7, `health`). Pure.
import { reasonOf } from "../delivery/delivery.ts";
import type { Outcome } from "../delivery-status.ts";

/** This many failed attempts in a row make an endpoint `failing`; one success makes it `healthy` again. */
export const FAILING_AFTER_FAILURES = 5;

export function healthStatus(consecutiveFailures: number): "healthy" | "failing" {
  return consecutiveFailures >= FAILING_AFTER_FAILURES ? "failing" : "healthy";
}

interface SubscriptionAttempt {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly at: Date;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
}

export interface HealthChange {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly hasSucceeded: boolean;
  /** Failures after the last success of the batch, or all failures if it has no success. */
  readonly trailingFailures: number;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastError: string | null;
}

/** `attempts` is in the order they ended. Returns one change per subscription, ordered by id. */
export function healthChanges(attempts: readonly SubscriptionAttempt[]): HealthChange[] {
  const bySubscription = Map.groupBy(attempts, (attempt) => attempt.subscriptionId);
  return [...bySubscription.values()]
    .map(changeOf)
    .sort((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
}

function changeOf(attempts: readonly SubscriptionAttempt[]): HealthChange {
  const [{ tenantId, subscriptionId }] = attempts as [SubscriptionAttempt];
  const successes = attempts.filter(({ outcome }) => outcome === "delivered");
  const lastSuccess = successes.at(-1);
  const failures = attempts.filter(({ outcome }) => outcome !== "delivered");
  const lastFailure = failures.at(-1);
  const trailingFailures =
    attempts.length - 1 - (lastSuccess === undefined ? -1 : attempts.lastIndexOf(lastSuccess));
  return {
    tenantId,
    subscriptionId,
    hasSucceeded: lastSuccess !== undefined,
    trailingFailures,
    lastSuccessAt: lastSuccess?.at ?? null,
    lastFailureAt: lastFailure?.at ?? null,
    lastError: lastFailure === undefined ? null : reasonOf(lastFailure),
  };
}
