// The metrics of attempts (interface §14), except those of listeners and of the canary, and their log lines.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type Metrics, traceIdOf } from "@tradepost/runtime";
import type { attempts, claims, settlement } from "../../delivery/delivery.ts";
import { outcomes } from "../../delivery-status.ts";
import type { StartedDelivery } from "../attempt/started-delivery.ts";

export type CountAttempt = (started: StartedDelivery, attempt: attempts.Attempt) => void;

const DURATION_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
// From an idle platform to a backlog of hours.
const LATENCY_BUCKETS_SECONDS = [
  ...[0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ...[10, 30, 60, 300, 1_800, 7_200, 43_200],
];

export function countAttempts(metrics: Metrics): CountAttempt {
  const attempts = metrics.counter("webhooks_attempts_total", "Requests to receivers.", ["outcome"]);
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);
  const durations = metrics.histogram(
    "webhooks_attempt_duration_seconds",
    "Duration of a request to a receiver, with DNS, connection and TLS.",
    [],
    DURATION_BUCKETS_SECONDS,
  );
  const latencies = metrics.histogram(
    "webhooks_first_attempt_latency_seconds",
    "From the commit of an event to a delivery's first attempt, by who else than the platform held it back: no, endpoint, tenant.",
    ["held"],
    LATENCY_BUCKETS_SECONDS,
  );
  for (const held of ["no", "endpoint", "tenant"] satisfies claims.HeldBy[]) latencies.zero({ held });
  return ({ delivery, slot }, { at, durationMs, outcome }) => {
    if (delivery.tenantId === CANARY_TENANT_ID) return;
    attempts.inc({ outcome });
    durations.observe(durationMs / 1_000);
    if (delivery.attempt > 1 || delivery.generation > 1) return;
    const held = delivery.heldBy === "no" && slot.freeMs < delivery.waitedMs ? "endpoint" : delivery.heldBy;
    // The time of the commit is from another machine's clock.
    const latencyMs = Math.max(0, at.getTime() - Date.parse(delivery.occurredAt));
    latencies.observe({ held }, latencyMs / 1_000);
  };
}

export function attemptSummary(
  { delivery, attempt, transition }: settlement.MadeAttempt,
  attemptsMax: number,
) {
  return {
    deliveryId: delivery.deliveryId,
    eventId: delivery.eventId,
    tenantId: delivery.tenantId,
    subscriptionId: delivery.subscriptionId,
    requestId: delivery.requestId,
    traceId: traceIdOf(delivery.traceparent),
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
