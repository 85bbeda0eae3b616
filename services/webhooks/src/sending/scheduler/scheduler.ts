// Decides which attempts this process starts: as many as the lanes, the tenants' shares, the endpoints' windows and the limits of
// their hosts allow, and in turn among the endpoints with deliveries waiting in Postgres. It works in memory and synchronously;
// every operation takes constant time for each attempt.
//
// Cast. An attempt is first reserved (`reservations`: `reserve` for deliveries in hand, `next` for deliveries to claim), then
// started as a slot, and ended (`attempts`). `usage` counts the attempts in flight by lane and tenant, `waiting-endpoints` has the
// endpoints that take turns (`turns`), `host-limit` counts by host, and `endpoint-memory` remembers what an endpoint's attempts
// have shown.
//
// An attempt in the proven lane ages when it has run for longer than IN_TIME_MS. So endpoints that stop responding give up the
// proven lane within a second, before their attempts time out.
import {
  createAttempts,
  type EndedSlot,
  giveUpRecording,
  recordEnd,
  recordOfSlot,
  type Slot,
} from "./attempts.ts";
import { createEndpointMemory } from "./endpoint-memory.ts";
import type { EndpointRecord, EndpointState, Rest } from "./endpoint-record.ts";
import { createHostLimit } from "./host-limit.ts";
import { closeReservation, createReservations, type Reservation } from "./reservations.ts";
import { createRings } from "./turns.ts";
import { createUsage } from "./usage.ts";
import { createWaitingEndpoints } from "./waiting-endpoints.ts";

export type { EndedSlot, Slot } from "./attempts.ts";
export type { Rest } from "./endpoint-record.ts";
export type { Reservation } from "./reservations.ts";

export interface Scheduler {
  /**
   * Reserves up to `wanted` attempts for deliveries in hand, or returns null. Always returns null for an endpoint that is down,
   * restrained or has waiting deliveries: those go first. If memory has a state of the endpoint, that is used: it is newer.
   */
  reserve(endpoint: EndpointState, wanted: number): Reservation | null;
  /** Says that the endpoint has deliveries waiting in Postgres. It takes its turns until fewer are found than were reserved. */
  addWaiting(endpoint: EndpointState): void;
  /** Reserves up to `countMax` attempts of endpoints with waiting deliveries; an endpoint has one reservation. */
  next(countMax: number): Reservation[];
  /**
   * Starts the first `found` of the reserved attempts and gives the rest back. If `next` reserved more than were found, nothing
   * more waits, unless `addWaiting` was called in between, or the endpoint's limits (`rest`) allowed no more attempts.
   */
  start(reservation: Reservation, found: number, rest?: Rest): Slot[];
  /** Gives a reservation back after its transaction failed. An endpoint with waiting deliveries keeps waiting. */
  cancel(reservation: Reservation): void;
  /**
   * Ends the attempts, in this order; waiting deliveries may now take their slots (`next`). Returns the endpoints whose standing
   * has changed, or that went down or recovered, to be stored (`storeStandings`).
   */
  end(ended: readonly EndedSlot[]): EndpointState[];
  /**
   * Whether a success of this endpoint changes only the delivery in the database: as far as this process knows, no failure is
   * stored that it would reset. Call it after `end`.
   */
  isHealthy(slot: Slot): boolean;
  /** Call it when the results of these attempts are committed. Until a failure is recorded, its endpoint is not healthy again. */
  recorded(ended: readonly EndedSlot[]): void;
  /** Call it instead when these results could not be committed. From then on, the database's state of the endpoints counts again. */
  givenUp(ended: readonly EndedSlot[]): void;
  /** How many attempts may start in the proven lane. */
  readonly freeProven: number;
  /** The number of reserved and started attempts. */
  readonly inFlight: number;
  /** Whether endpoints have deliveries waiting. */
  readonly hasWaiting: boolean;
  /** When `next` may find more although no attempt has ended, on the clock of `now`; null if only an ending attempt can help. */
  readonly wakeAt: number | null;
}

interface Options {
  /** The number of attempts at a time, apart from aged ones; at least 2 count. */
  slots: number;
  /** How many attempts a second one tenant may start at one host, at least 1. No limit by default. */
  hostPerSecondMax?: () => number;
  /** In milliseconds. */
  now?: () => number;
}

export function createScheduler({
  slots,
  hostPerSecondMax = () => Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: Options): Scheduler {
  const { recordOf, rest } = createEndpointMemory(now);
  const hostLimit = createHostLimit(hostPerSecondMax, now);
  const rings = createRings<EndpointRecord>();
  const usage = createUsage(slots, rings);
  const waiting = createWaitingEndpoints({ rings, hostLimit, onIdle: rest, now });
  const reservations = createReservations({ rings, usage, waiting, hostLimit });
  const attempts = createAttempts({ usage, waiting, now });

  /** Ages attempts and ends rests. Returns the current time. */
  function catchUp(): number {
    const at = now();
    attempts.age(at);
    waiting.endRests(at);
    return at;
  }

  function reserve(endpoint: EndpointState, wanted: number): Reservation | null {
    catchUp();
    const record = recordOf(endpoint);
    const reservation = reservations.reserve(record, wanted);
    if (reservation === null) rest(record);
    return reservation;
  }

  function addWaiting(endpoint: EndpointState): void {
    catchUp();
    const record = recordOf(endpoint);
    record.waitingVersion += 1;
    waiting.set(record, true);
    waiting.place(record);
  }

  function start(reservation: Reservation, found: number, rest?: Rest): Slot[] {
    const open = closeReservation(reservation);
    if (open === null) return [];
    const { record, lane, count, waitingVersion, recordedVersion } = open;
    const started = attempts.start(record, lane, Math.min(found, count));
    reservations.giveBack(open, count - started.length);
    // An attempt that was recorded since the claim may have left room.
    const isOutdated = rest?.because === "in flight" && recordedVersion !== record.recordedVersion;
    if (rest !== undefined && !isOutdated) waiting.rest(record, rest);
    else if (rest === undefined && found < count && waitingVersion === record.waitingVersion)
      waiting.set(record, false);
    waiting.place(record);
    return started;
  }

  function cancel(reservation: Reservation): void {
    const open = closeReservation(reservation);
    if (open === null) return;
    // Another claim may have skipped these deliveries while they were locked, and found nothing.
    if (open.isFromRing) waiting.set(open.record, true);
    reservations.giveBack(open, open.count);
    waiting.place(open.record);
  }

  return {
    ...{ reserve, addWaiting, start, cancel },
    next: (countMax) => reservations.next(countMax, catchUp()),
    end: (ended) => {
      catchUp();
      return attempts.end(ended);
    },
    recorded: (ended) => {
      for (const one of ended) recordEnd(one);
      for (const { slot } of ended) {
        const record = recordOfSlot(slot);
        waiting.endRestForAttempt(record);
        rest(record);
      }
    },
    givenUp: (ended) => {
      for (const one of ended) giveUpRecording(one);
      for (const { slot } of ended) rest(recordOfSlot(slot));
    },
    isHealthy: (slot) => !recordOfSlot(slot).needsReset,
    get freeProven() {
      catchUp();
      return usage.freeProven;
    },
    get inFlight() {
      return usage.inFlight;
    },
    get hasWaiting() {
      return waiting.count > 0;
    },
    get wakeAt() {
      const wakeAt = waiting.count === 0 ? null : Math.min(attempts.nextAgesAt, waiting.nextRestEndsAt);
      return wakeAt === Number.POSITIVE_INFINITY ? null : wakeAt;
    },
  };
}
