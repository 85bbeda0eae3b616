// Decides which attempts this process starts: as many as the lanes, the tenants' shares, the endpoints' windows and the limits of
// their hosts allow, and in turn among the endpoints with deliveries waiting in Postgres. It works in memory and synchronously;
// every operation takes constant time for each attempt.
//
// Cast. An attempt is reserved (`reservations`), then started as a slot, and ended (`attempts`). `usage` counts the attempts in
// flight by lane and tenant, `host-limit` by host. `waiting-endpoints` has the endpoints that take `turns`, and `endpoint-memory`
// what their attempts have shown.
import { createAttempts, type EndedSlot, giveUpRecording, recordEnd, type Slot } from "./attempts.ts";
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

export type Scheduler = ReturnType<typeof createScheduler>;

interface Options {
  /** Attempts at a time, apart from aged ones; at least 2. */
  slots: number;
  /** Attempts a second of one tenant at one host, at least 1. No limit by default. */
  hostPerSecondMax?: () => number;
  now?: () => number;
}

export function createScheduler(options: Options) {
  const parts = createParts(options);
  const { memory, usage, waiting, reservations, attempts, catchUp } = parts;
  return {
    ...starting(parts),
    /** For endpoints with waiting deliveries, which have one reservation each. */
    next: (countMax: number): Reservation[] => reservations.next(countMax, catchUp()),
    /** Ends attempts in this order. Returns the endpoints to store: their standing changed, or they went down or recovered. */
    end: (ended: readonly EndedSlot[]): EndpointState[] => {
      catchUp();
      return attempts.end(ended);
    },
    /** Call it after the commit. Until a failure is recorded, its endpoint is not healthy again. */
    recorded: (ended: readonly EndedSlot[]): void => {
      for (const one of ended) recordEnd(one);
      for (const { slot } of ended) {
        waiting.endRestForAttempt(slot.record);
        memory.rest(slot.record);
      }
    },
    /** Call it if the results could not be committed: the database's state of the endpoints counts again. */
    givenUp: (ended: readonly EndedSlot[]): void => {
      for (const one of ended) giveUpRecording(one);
      for (const { slot } of ended) memory.rest(slot.record);
    },
    /** Whether no known failure is stored that a success would reset. Call it after `end`. */
    isHealthy: (slot: Slot): boolean => !slot.record.needsReset,
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
    /** When `next` may find more although no attempt has ended; null if only an ending attempt can help. */
    get wakeAt() {
      const wakeAt = waiting.count === 0 ? null : Math.min(attempts.nextAgesAt, waiting.nextRestEndsAt);
      return wakeAt === Number.POSITIVE_INFINITY ? null : wakeAt;
    },
  };
}

function createParts({
  slots,
  hostPerSecondMax = () => Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: Options) {
  const memory = createEndpointMemory(now);
  const hostLimit = createHostLimit(hostPerSecondMax, now);
  const rings = createRings<EndpointRecord>();
  const usage = createUsage(slots, rings);
  const waiting = createWaitingEndpoints({ rings, hostLimit, onIdle: memory.rest, now });
  const reservations = createReservations({ rings, usage, waiting, hostLimit });
  const attempts = createAttempts({ usage, waiting, now });
  const catchUp = () => {
    const at = now();
    attempts.age(at);
    waiting.endRests(at);
    return at;
  };
  return { memory, usage, waiting, reservations, attempts, catchUp };
}

function starting({ memory, waiting, reservations, attempts, catchUp }: ReturnType<typeof createParts>) {
  /**
   * For new deliveries. Returns null if no attempt may start, or the endpoint is down, restrained or has waiting deliveries, which go
   * first. A remembered state counts before `endpoint`.
   */
  function reserve(endpoint: EndpointState, wanted: number): Reservation | null {
    catchUp();
    const record = memory.recordOf(endpoint);
    const reservation = reservations.reserve(record, wanted);
    if (reservation === null) memory.rest(record);
    return reservation;
  }

  /** The endpoint takes its turns until fewer deliveries are found than were reserved. */
  function addWaiting(endpoint: EndpointState): void {
    catchUp();
    const record = memory.recordOf(endpoint);
    record.waitingVersion += 1;
    waiting.set(record, true);
  }

  /**
   * Gives the rest of the reservation back. If `next` reserved more than were found, nothing more waits, unless `addWaiting` was called
   * in between or the endpoint's limits (`rest`) allowed no more.
   */
  function start(reservation: Reservation, found: number, rest?: Rest): Slot[] {
    if (!closeReservation(reservation)) return [];
    const { record, lane, count, waitingVersion, recordedVersion } = reservation;
    const started = attempts.start(record, lane, Math.min(found, count));
    reservations.giveBack(reservation, count - started.length);
    // An attempt recorded since the claim may have left room.
    const isOutdated = rest?.because === "in flight" && recordedVersion !== record.recordedVersion;
    if (rest !== undefined && !isOutdated) waiting.rest(record, rest);
    else if (rest === undefined && found < count && waitingVersion === record.waitingVersion)
      waiting.set(record, false);
    else waiting.place(record);
    return started;
  }

  /** After a failed transaction. An endpoint from `next` keeps waiting. */
  function cancel(reservation: Reservation): void {
    if (!closeReservation(reservation)) return;
    const { record, count, isFromRing } = reservation;
    reservations.giveBack(reservation, count);
    // Another claim may have skipped these deliveries while they were locked.
    if (isFromRing) waiting.set(record, true);
    else waiting.place(record);
  }

  return { reserve, addWaiting, start, cancel };
}
