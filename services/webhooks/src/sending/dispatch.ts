// Attempts claimed deliveries: first send, then settle. The HTTP request is made between two transactions, never inside one.
import {
  childTraceparent,
  type Logger,
  type Span,
  settlesWithin,
  type Tracer,
  traceIdOf,
} from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { attempts, claims } from "../delivery/delivery.ts";
import type { Send } from "./attempt/send.ts";
import type { StartedDelivery } from "./attempt/started-delivery.ts";
import type { Claims } from "./renew-claims.ts";
import type { Scheduler } from "./scheduler/scheduler.ts";
import type { Settle } from "./settle/settle.ts";

export function startDispatch(options: {
  scheduler: Pick<Scheduler, "end" | "givenUp">;
  isOffered: (type: string) => boolean;
  /** For a delivery whose type is offered no more (interface §24). */
  cancel: (delivery: claims.ClaimedDelivery) => Promise<void>;
  send: Send;
  settle: Settle;
  claims: Pick<Claims, "hold">;
  attemptMs: number;
  logger: Logger;
  tracer: Tracer;
}) {
  const { scheduler, isOffered, cancel, send, settle, claims, attemptMs, logger, tracer } = options;
  const inProgress = new Set<Promise<void>>();
  let isStopped = false;

  async function attempt({ delivery, slot }: StartedDelivery): Promise<void> {
    const startedAt = performance.now();
    const release = claims.hold(delivery);
    let isSent = false;
    try {
      failPoint("dispatch.claimed");
      if (!isOffered(delivery.type)) {
        await cancel(delivery);
        giveBack(scheduler, slot, startedAt);
        return;
      }
      const made = await send(delivery);
      failPoint("dispatch.sent");
      isSent = true;
      if (tracer.isOn && delivery.traceparent !== null) {
        tracer.record(spanOf(delivery, delivery.traceparent, made));
      }
      await settle({ delivery, slot }, made);
      failPoint("dispatch.settled");
    } catch (error) {
      // The delivery's claim expires, and the sweep lets the attempt be repeated.
      const message = isSent ? "attempt not recorded" : "attempt not made";
      const { deliveryId, traceparent } = delivery;
      logger.error({ err: error, deliveryId, traceId: traceIdOf(traceparent) }, message);
      if (!isSent) giveBack(scheduler, slot, startedAt);
    } finally {
      release();
    }
  }

  /** Includes attempts that still start because they were claimed just as another ended. */
  async function untilNoneInProgress(): Promise<void> {
    while (inProgress.size > 0) await Promise.all(inProgress);
  }

  return {
    start: (started: readonly StartedDelivery[]): void => {
      // Lets their claims expire: a request that the stop interrupts would count as a failed attempt.
      if (isStopped) return;
      for (const one of started) {
        const work = attempt(one).finally(() => inProgress.delete(work));
        inProgress.add(work);
      }
    },
    /** Waits up to `attemptMs` until the attempts in progress are settled. Another process repeats the rest. */
    stop: async (): Promise<void> => {
      const isSettled = await settlesWithin(untilNoneInProgress(), attemptMs);
      isStopped = true;
      if (!isSettled)
        logger.warn({ count: inProgress.size }, "attempts did not end in time; another process repeats them");
    },
  };
}

function giveBack(
  scheduler: Pick<Scheduler, "end" | "givenUp">,
  slot: StartedDelivery["slot"],
  startedAt: number,
): void {
  const ended = { slot, outcome: "network_error", durationMs: performance.now() - startedAt } as const;
  scheduler.end([ended]);
  scheduler.givenUp([ended]);
}

function spanOf(delivery: claims.ClaimedDelivery, parent: string, made: attempts.Attempt): Span {
  const { deliveryId, type, attempt } = delivery;
  const { durationMs, outcome, statusCode } = made;
  return {
    name: `attempt ${type}`,
    kind: "client",
    traceparent: childTraceparent(parent),
    parent,
    durationMs,
    attributes: {
      "http.request.method": "POST",
      "http.response.status_code": statusCode ?? undefined,
      "tradepost.delivery_id": deliveryId,
      "tradepost.attempt": attempt,
      "tradepost.outcome": outcome,
    },
    hasFailed: outcome !== "delivered",
  };
}
