// A discrete-event simulation of one process that dispatches with the scheduler: endpoints receive deliveries, respond or
// hang, and failed deliveries come due again. The clock is virtual and the randomness seeded, so a run always ends the same.
import TinyQueue from "tinyqueue";
import type { Outcome } from "../../src/delivery-status.ts";
import { DOWN_FROM_FAILURES, NEW_STANDING } from "../../src/endpoint/standing.ts";
import { roomOf } from "../../src/sending/next-attempt.ts";
import type { EndpointState } from "../../src/sending/scheduler/endpoint-record.ts";
import { createScheduler, type Reservation, type Slot } from "../../src/sending/scheduler/scheduler.ts";

interface Response {
  outcome: Outcome;
  durationMs: number;
  /** How long the endpoint asks to wait. */
  holdMs?: number;
}

export interface SimulatedEndpoint {
  state: EndpointState;
  /** The result of an attempt that starts at this time. */
  respond: (atMs: number) => Response;
  waiting: number;
  firstStartedAt: number | null;
  startedCount: number;
  /** The endpoint's own limits, which the database applies. */
  perSecondMax: number | null;
  inFlightMax: number | null;
  inFlight: number;
  heldUntil: number;
  pacedUntil: number;
}

interface Entry {
  readonly atMs: number;
  readonly position: number;
  readonly work: () => void;
}

// Instead of the retry schedule: of four attempts that fail, three are repeated after five minutes.
const RETRY_AFTER_MS = 300_000;
const GIVES_UP_EVERY = 4;
const CLAIM_MAX = 200;
/** How often the process looks for deliveries that wait although no attempt has ended. */
const TICK_MS = 100;

export function startSimulation({ slots }: { slots: number }) {
  let nowMs = 0;
  // Entries of the same time are taken in the order of their addition.
  const agenda = new TinyQueue<Entry>(
    [],
    (one, other) => one.atMs - other.atMs || one.position - other.position,
  );
  let entryCount = 0;
  const scheduler = createScheduler({ slots, now: () => nowMs });
  const byId = new Map<string, SimulatedEndpoint>();
  let inFlightMax = 0;
  let failureCount = 0;

  function at(atMs: number, work: () => void): void {
    agenda.push({ atMs, position: entryCount, work });
    entryCount += 1;
  }

  function add(
    tenantId: string,
    respond: SimulatedEndpoint["respond"],
    standing: Partial<EndpointState> = {},
    limits: { perSecondMax?: number | null; inFlightMax?: number | null } = {},
  ): SimulatedEndpoint {
    const key = { tenantId, subscriptionId: `${tenantId}.${byId.size}` };
    const endpoint: SimulatedEndpoint = {
      state: {
        ...key,
        ...NEW_STANDING,
        consecutiveFailures: 0,
        origin: null,
        isRestrained: false,
        heldForMs: null,
        ...standing,
      },
      respond,
      waiting: 0,
      firstStartedAt: null,
      startedCount: 0,
      perSecondMax: null,
      inFlightMax: null,
      inFlight: 0,
      heldUntil: 0,
      pacedUntil: 0,
      ...limits,
    };
    byId.set(key.subscriptionId, endpoint);
    return endpoint;
  }

  /** The endpoint's state as the database has it now. */
  function stored({ state, perSecondMax, inFlightMax, heldUntil }: SimulatedEndpoint): EndpointState {
    const isHeld = heldUntil > nowMs;
    const hasLimits = perSecondMax !== null || inFlightMax !== null;
    const isRestrained = isHeld || hasLimits || state.consecutiveFailures >= DOWN_FROM_FAILURES;
    return { ...state, isRestrained, heldForMs: isHeld ? heldUntil - nowMs : null };
  }

  /** Deliveries are fanned out: those that may not start wait. */
  function deliver(endpoint: SimulatedEndpoint, count = 1): void {
    const reservation = scheduler.reserve(stored(endpoint), count);
    if (reservation !== null) begin(endpoint, scheduler.start(reservation, reservation.count));
    const left = count - (reservation?.count ?? 0);
    if (left === 0) return;
    endpoint.waiting += left;
    scheduler.addWaiting(stored(endpoint));
    claim();
  }

  function claim(): void {
    for (const reservation of scheduler.next(CLAIM_MAX)) claimOne(reservation);
  }

  function claimOne(reservation: Reservation): void {
    const endpoint = byId.get(reservation.endpoint.subscriptionId);
    if (endpoint === undefined) throw new Error("an unknown endpoint");
    const { count, isRestrained } = reservation;
    const { allowed, rest } = isRestrained ? restrained(endpoint, count) : { allowed: count, rest: null };
    const found = Math.min(allowed, endpoint.waiting);
    endpoint.waiting -= found;
    const { pacedUntil, perSecondMax } = endpoint;
    if (perSecondMax !== null)
      endpoint.pacedUntil = Math.max(pacedUntil, nowMs) + (found * 1_000) / perSecondMax;
    const slots = scheduler.start(reservation, found, found < allowed ? undefined : (rest ?? undefined));
    begin(endpoint, slots);
  }

  /** The endpoint's restraint in the database, as `claim-restrained.ts` reads it, and its room. */
  function restrained(
    { state, inFlight, heldUntil, pacedUntil, ...limits }: SimulatedEndpoint,
    wanted: number,
  ) {
    const isDown = state.consecutiveFailures >= DOWN_FROM_FAILURES;
    const restraint = {
      heldMs: heldUntil > nowMs ? heldUntil - nowMs : null,
      inFlight,
      inFlightMax: isDown ? 1 : limits.inFlightMax,
      perSecondMax: limits.perSecondMax,
      owedMs: Math.max(0, pacedUntil - nowMs),
    };
    return roomOf(restraint, wanted);
  }

  function begin(endpoint: SimulatedEndpoint, slots: readonly Slot[]): void {
    if (slots.length > 0) endpoint.firstStartedAt ??= nowMs;
    endpoint.startedCount += slots.length;
    endpoint.inFlight += slots.length;
    inFlightMax = Math.max(inFlightMax, scheduler.inFlight);
    for (const slot of slots) {
      const response = endpoint.respond(nowMs);
      at(nowMs + response.durationMs, () => end(endpoint, slot, response));
    }
  }

  function end(endpoint: SimulatedEndpoint, slot: Slot, response: Response): void {
    const { outcome, holdMs = 0 } = response;
    const ended = [{ slot, ...response }];
    endpoint.inFlight -= 1;
    endpoint.heldUntil = Math.max(endpoint.heldUntil, nowMs + holdMs);
    for (const state of scheduler.end(ended)) endpoint.state = state;
    endpoint.state = {
      ...endpoint.state,
      consecutiveFailures: outcome === "delivered" ? 0 : endpoint.state.consecutiveFailures + 1,
    };
    claim();
    scheduler.recorded(ended);
    claim();
    if (outcome === "delivered") return;
    failureCount += 1;
    if (failureCount % GIVES_UP_EVERY > 0) at(nowMs + RETRY_AFTER_MS, () => deliver(endpoint));
  }

  function tick(): void {
    if (scheduler.hasWaiting) claim();
    at(nowMs + TICK_MS, tick);
  }
  tick();

  return {
    add,
    deliver,
    at,
    now: () => nowMs,
    inFlightMax: () => inFlightMax,
    run(untilMs: number): void {
      for (let next = agenda.peek(); next && next.atMs <= untilMs; next = agenda.peek()) {
        agenda.pop();
        nowMs = next.atMs;
        next.work();
      }
      nowMs = untilMs;
    },
  };
}
