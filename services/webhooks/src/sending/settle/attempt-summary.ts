import { traceIdOf } from "@tradepost/runtime";
import type { MadeAttempt } from "./apply-transitions.ts";

/** The fields of the log line of an attempt. */
export function attemptSummary({ delivery, attempt, transition }: MadeAttempt, attemptsMax: number) {
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
