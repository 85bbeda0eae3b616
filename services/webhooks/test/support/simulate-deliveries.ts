// A simulation of deliveries from fan-out to their end: the scheduler, the transitions of a delivery and the health of an endpoint are
// those of the service. In place of Postgres there is a model of what its statements do: they claim what is due, unless the
// subscription is paused or held, and keep one open notice of a kind. The clock is virtual and the randomness seeded.

import { statusAfter } from "../../src/delivery/lifecycle.ts";
import type { DeliveryStatus, Outcome } from "../../src/delivery-status.ts";
import { NEW_STANDING } from "../../src/endpoint/standing.ts";
import { holdMsOf, PATIENCE, roomOf, transitionAfter } from "../../src/sending/next-attempt.ts";
import type { EndpointState } from "../../src/sending/scheduler/endpoint-record.ts";
import { createScheduler, type Reservation, type Slot } from "../../src/sending/scheduler/scheduler.ts";
import { type Health, healthAfter } from "../../src/sending/settle/health.ts";
import type { Wait } from "../../src/topology.ts";
import { createAgenda } from "./simulate-schedule.ts";

interface Response {
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** What the receiver asks for. */
  readonly retryAfterMs: number | null;
}

interface SimulatedDelivery {
  status: DeliveryStatus;
  /** When it may be tried, while it is pending, retrying or paused. */
  dueAt: number;
  isInFlight: boolean;
  readonly attempts: { readonly startedAt: number; endedAt: number; outcome: Outcome | null }[];
}

export interface SimulatedSubscription {
  readonly respond: (atMs: number) => Response;
  readonly deliveries: SimulatedDelivery[];
  state: EndpointState;
  health: Health;
  isPaused: boolean;
  /** The attempts in the order in which their results were recorded. */
  readonly ended: (Response & { readonly startedAt: number; readonly endedAt: number })[];
  /** The kinds of the open notices, and how many opened of each kind. */
  readonly open: Set<string>;
  readonly opened: Map<string, number>;
}

const CLAIM_MAX = 200;
/** How often the process looks for what waits, and the sweep for what is due. */
const LOOK_EVERY_MS = 60_000;

const HEALTHY: Health = {
  ...{ consecutiveFailures: 0, lastSuccessAt: null, lastFailureAt: null, lastError: null },
  ...{ failingSince: null, downSince: null, heldUntil: null },
};

/** `onStart` is called with each attempt that starts. */
export function simulateDeliveries(options: {
  slots: number;
  schedule: readonly Wait[];
  onStart: (subscription: SimulatedSubscription, delivery: SimulatedDelivery) => void;
}) {
  const { schedule, onStart } = options;
  let nowMs = 0;
  const agenda = createAgenda();
  const scheduler = createScheduler({ slots: options.slots, now: () => nowMs });
  const byId = new Map<string, SimulatedSubscription>();

  function add(tenantId: string, respond: SimulatedSubscription["respond"]): SimulatedSubscription {
    const subscriptionId = `${tenantId}.${byId.size}`;
    const subscription: SimulatedSubscription = {
      ...{ respond, deliveries: [], health: HEALTHY, isPaused: false },
      ...{ ended: [], open: new Set<string>(), opened: new Map<string, number>() },
      state: {
        ...{ tenantId, subscriptionId, ...NEW_STANDING, consecutiveFailures: 0 },
        ...{ origin: null, isRestrained: false, heldForMs: null },
      },
    };
    byId.set(subscriptionId, subscription);
    return subscription;
  }

  /** The endpoint as the database has it now. */
  function stored({ state, health }: SimulatedSubscription): EndpointState {
    const heldForMs = (health.heldUntil?.getTime() ?? 0) - nowMs;
    const isHeld = heldForMs > 0;
    const isRestrained = isHeld || health.downSince !== null;
    const { consecutiveFailures } = health;
    return { ...state, consecutiveFailures, isRestrained, heldForMs: isHeld ? heldForMs : null };
  }

  function deliver(subscription: SimulatedSubscription): void {
    const status = subscription.isPaused ? "paused" : "pending";
    subscription.deliveries.push({ status, dueAt: nowMs, isInFlight: false, attempts: [] });
    look(subscription);
  }

  function dueOf({ deliveries, isPaused }: SimulatedSubscription): SimulatedDelivery[] {
    if (isPaused) return [];
    return deliveries.filter(
      ({ status, dueAt, isInFlight }) =>
        !isInFlight && dueAt <= nowMs && (status === "pending" || status === "retrying"),
    );
  }

  /** What is due waits for the scheduler. */
  function look(subscription: SimulatedSubscription): void {
    if (dueOf(subscription).length > 0) scheduler.addWaiting(stored(subscription));
    claim();
  }

  function claim(): void {
    for (const reservation of scheduler.next(CLAIM_MAX)) claimOne(reservation);
  }

  function claimOne(reservation: Reservation): void {
    const subscription = byId.get(reservation.endpoint.subscriptionId);
    if (subscription === undefined) throw new Error("an unknown subscription");
    const { heldForMs } = stored(subscription);
    const due = dueOf(subscription);
    const restraint = {
      heldMs: heldForMs,
      inFlight: subscription.deliveries.filter(({ isInFlight }) => isInFlight).length,
      inFlightMax: subscription.health.downSince === null ? null : 1,
      perSecondMax: null,
      owedMs: 0,
    };
    const { allowed, rest } = roomOf(restraint, reservation.count);
    const found = due.slice(0, allowed);
    const mayRest = due.length > 0 && found.length === allowed;
    const slots = scheduler.start(reservation, found.length, mayRest ? (rest ?? undefined) : undefined);
    for (const [index, slot] of slots.entries()) begin(subscription, found[index] as SimulatedDelivery, slot);
  }

  function begin(subscription: SimulatedSubscription, delivery: SimulatedDelivery, slot: Slot): void {
    onStart(subscription, delivery);
    const attempt: SimulatedDelivery["attempts"][number] = {
      ...{ startedAt: nowMs, endedAt: Number.POSITIVE_INFINITY, outcome: null },
    };
    delivery.isInFlight = true;
    delivery.attempts.push(attempt);
    const response = subscription.respond(nowMs);
    agenda.add(nowMs + response.durationMs, () => {
      Object.assign(attempt, { endedAt: nowMs, outcome: response.outcome });
      settle(subscription, delivery, slot, { ...response, at: new Date(attempt.startedAt) });
    });
  }

  function settle(
    subscription: SimulatedSubscription,
    delivery: SimulatedDelivery,
    slot: Slot,
    response: Response & { at: Date },
  ): void {
    const { outcome, durationMs, retryAfterMs } = response;
    const holdMs = retryAfterMs === null ? null : holdMsOf(503, `${retryAfterMs / 1_000}`);
    const transition = transitionAfter(delivery.attempts.length, outcome, schedule, () => 0);
    const ended = [{ slot, outcome, durationMs, holdMs }];
    for (const state of scheduler.end(ended)) subscription.state = state;
    delivery.isInFlight = false;
    delivery.status = statusAfter(transition.name, delivery.status) ?? delivery.status;
    if ("wait" in transition) {
      delivery.dueAt = nowMs + transition.delayMs;
      agenda.add(delivery.dueAt, () => look(subscription));
    }
    const { health, changes } = healthAfter(subscription.health, [{ ...response, holdMs }], PATIENCE);
    subscription.health = health;
    subscription.ended.push({ ...response, startedAt: response.at.getTime(), endedAt: nowMs });
    for (const { name, notice } of changes) {
      if (name === "close") subscription.open.delete(notice.kind);
      else if (!subscription.open.has(notice.kind)) {
        subscription.open.add(notice.kind);
        subscription.opened.set(notice.kind, (subscription.opened.get(notice.kind) ?? 0) + 1);
      }
    }
    scheduler.recorded(ended);
    look(subscription);
  }

  function pause(subscription: SimulatedSubscription): void {
    subscription.isPaused = true;
    for (const one of subscription.deliveries) one.status = statusAfter("paused", one.status) ?? one.status;
  }

  function resume(subscription: SimulatedSubscription): void {
    subscription.isPaused = false;
    for (const one of subscription.deliveries) {
      const name =
        one.attempts.length === 0 ? "resumed before its first attempt" : "resumed between attempts";
      one.status = statusAfter(name, one.status) ?? one.status;
    }
    look(subscription);
  }

  function lookAtAll(): void {
    for (const subscription of byId.values()) look(subscription);
    agenda.add(nowMs + LOOK_EVERY_MS, lookAtAll);
  }
  lookAtAll();

  return {
    ...{ add, deliver, pause, resume, at: agenda.add, now: () => nowMs },
    run(untilMs: number): void {
      for (let next = agenda.take(untilMs); next !== null; next = agenda.take(untilMs)) {
        nowMs = next.atMs;
        next.work();
      }
      nowMs = untilMs;
    },
  };
}
