// Decides which attempts this process starts: as many as the lanes, the tenants' shares, the endpoints' windows and the limits
// of their hosts allow, and in turn among the endpoints that have deliveries waiting in Postgres. In memory and synchronous; every operation takes
// constant time for each attempt.
//
// An attempt is first reserved (`reserve` for deliveries in hand, `next` for deliveries to claim), then started as a slot, and
// ended. In between, an attempt in the proven lane **ages** when it has run for longer than IN_TIME_MS: it leaves the lane, and
// its endpoint counts as unproven until its next success in time. So endpoints that stop responding give up the proven lane
// within a second, before their attempts time out.
import type { Outcome } from "../../delivery-status.ts";
import { IN_TIME_MS, standingAfter } from "../../subscriptions/subscriptions.ts";
import { createEndpointMemory } from "./endpoint-memory.ts";
import {
  type EndpointKey,
  type EndpointRecord,
  type EndpointState,
  hasChanged,
  hasRoom,
  isDown,
  laneOf,
  type TenantRecord,
} from "./endpoint-record.ts";
import { createHostLimit, TICK_MS } from "./host-limit.ts";
import { freeOf, type Lane, lanesOf, mayStart } from "./lanes.ts";
import { append, createList, type Linked, remove, unlinked } from "./linked-list.ts";
import { createTurns } from "./turns.ts";

/** Room for `count` attempts of one endpoint that have not started. Each reservation is started or cancelled once. */
export interface Reservation {
  readonly endpoint: EndpointKey;
  readonly count: number;
}

/** A started attempt. It is ended once, also if its result is not recorded. */
export interface Slot {
  readonly endpoint: EndpointKey;
}

export interface EndedSlot {
  readonly slot: Slot;
  readonly outcome: Outcome;
  readonly durationMs: number;
}

export interface Scheduler {
  /**
   * Reserves up to `wanted` attempts for deliveries in hand, or returns null. Always null for an endpoint that is down or has
   * deliveries waiting: those go first. In memory the endpoint's state is newer than `endpoint`, if it is there.
   */
  reserve(endpoint: EndpointState, wanted: number): Reservation | null;
  /** The endpoint has deliveries waiting in Postgres: it takes its turns until fewer are found than were reserved. */
  addWaiting(endpoint: EndpointState): void;
  /** Reserves up to `countMax` attempts of endpoints with waiting deliveries, one reservation for each endpoint. */
  next(countMax: number): Reservation[];
  /**
   * Starts the first `found` of the reserved attempts and gives the rest back. If `next` reserved more than were found, nothing
   * more waits, unless `addWaiting` was called in between.
   */
  start(reservation: Reservation, found: number): Slot[];
  /** Gives a reservation back, because the transaction failed. An endpoint that waits goes on waiting. */
  cancel(reservation: Reservation): void;
  /**
   * The attempts have ended, in this order: what waits may now take their slots (`next`). Returns the endpoints whose standing
   * has changed, or that went down or came back, to be stored (`storeStandings`).
   */
  end(ended: readonly EndedSlot[]): EndpointState[];
  /**
   * Whether a success of this endpoint changes nothing in the database but the delivery: no failure is stored that it would
   * reset, as far as this process knows. Call it after `end`.
   */
  isHealthy(slot: Slot): boolean;
  /** The results of these ended attempts are committed. Until a failure is recorded its endpoint is not healthy again. */
  recorded(ended: readonly EndedSlot[]): void;
  /** Attempts that may start in the proven lane. */
  readonly freeProven: number;
  /** Reserved and started attempts. */
  readonly inFlight: number;
  /** Whether endpoints have deliveries waiting. */
  readonly hasWaiting: boolean;
  /** When `next` may find more although no attempt has ended, on the clock of `now`; null if deliveries wait for ends only. */
  readonly wakeAt: number | null;
}

/**
 * The least time between two attempts at an endpoint that is down: one that refuses at once could otherwise get thousands. After
 * it, an endpoint also looks again whether its host may get more.
 */
const REST_MS = TICK_MS;
const LANES = ["proven", "other", "down"] as const satisfies Lane[];

interface ReservationRecord extends Reservation {
  count: number;
  readonly record: EndpointRecord;
  readonly lane: Lane;
  /** When its host's limit counted it. */
  readonly tick: number;
  readonly waitingVersion: number;
  readonly isFromRing: boolean;
  isOpen: boolean;
}

/** Linked while it may age. */
interface SlotRecord extends Slot, Linked<SlotRecord> {
  readonly record: EndpointRecord;
  lane: Lane | "aged" | "ended";
  readonly startedAt: number;
}

/**
 * `slots` is the number of attempts at a time, apart from aged ones; at least 2 count. `hostPerSecondMax` is how many attempts a
 * second one tenant may start at one host, at least 1 (default: any number). `now` is in milliseconds.
 */
export function createScheduler({
  slots,
  hostPerSecondMax = () => Number.POSITIVE_INFINITY,
  now = () => performance.now(),
}: {
  slots: number;
  hostPerSecondMax?: () => number;
  now?: () => number;
}): Scheduler {
  const lanes = lanesOf(slots);
  const usage = { proven: 0, other: 0, down: 0, aged: 0 };
  const { recordOf, rest } = createEndpointMemory(now);
  const hostLimit = createHostLimit(hostPerSecondMax, now);
  const turns = {
    proven: createTurns<EndpointRecord>(),
    other: createTurns<EndpointRecord>(),
    down: createTurns<EndpointRecord>(),
  };
  /** Started attempts in the proven lane, oldest first. */
  const ageing = createList<SlotRecord>();
  /** Waiting endpoints that are down and have just been probed, and those whose hosts have had their attempts. */
  const resting = createList<EndpointRecord>();
  let waitingCount = 0;
  let laneTurn = 0;

  function reserve(endpoint: EndpointState, wanted: number): Reservation | null {
    catchUp();
    const record = recordOf(endpoint);
    const lane = laneOf(record);
    let count = 0;
    let tick = 0;
    if (!record.isWaiting && lane !== "down") {
      const held = () => record.tenant.queues[lane].held;
      const mayTake = () =>
        hasRoom(record) && hostLimit.hasRoom(record.host) && mayStart(lane, held(), usage, lanes);
      while (count < wanted && mayTake()) {
        tick = take(record, lane);
        count += 1;
      }
    }
    if (count > 0) return newReservation(record, { lane, count, tick, isFromRing: false });
    rest(record);
    return null;
  }

  function addWaiting(endpoint: EndpointState): void {
    catchUp();
    const record = recordOf(endpoint);
    record.waitingVersion += 1;
    setWaiting(record, true);
    place(record);
  }

  function next(countMax: number): Reservation[] {
    const at = catchUp();
    const reservations = new Map<EndpointRecord, ReservationRecord>();
    // Lanes take turns, so that a small `countMax` leaves none out.
    for (let count = 0, refusals = 0; count < countMax && refusals < LANES.length; ) {
      const lane = LANES[laneTurn] ?? "other";
      laneTurn = (laneTurn + 1) % LANES.length;
      const taken = takeTurn(lane, at);
      refusals = taken === null ? refusals + 1 : 0;
      if (taken === null) continue;
      const { record, tick } = taken;
      count += 1;
      if (lane === "down") record.restsUntil = at + REST_MS;
      const reservation = reservations.get(record);
      if (reservation !== undefined) reservation.count += 1;
      else reservations.set(record, newReservation(record, { lane, count: 1, tick, isFromRing: true }));
      unplace(record);
      place(record);
    }
    return [...reservations.values()];
  }

  /** Takes a slot for the endpoint whose turn it is. */
  function takeTurn(lane: Lane, at: number): { record: EndpointRecord; tick: number } | null {
    for (;;) {
      const queue = turns[lane].first();
      const record = queue?.items.first ?? null;
      // No other tenant holds fewer, so none may start more.
      if (queue === null || record === null || !mayStart(lane, queue.held, usage, lanes)) return null;
      if (hostLimit.hasRoom(record.host)) return { record, tick: take(record, lane) };
      // It rests behind the host's other endpoints, so that they take turns when the host may get more.
      record.restsUntil = at + REST_MS;
      unplace(record);
      append(resting, record);
    }
  }

  function start(reservation: Reservation, found: number): Slot[] {
    const { record, lane, count, tick, waitingVersion, isOpen } = made(reservation);
    if (!isOpen) return [];
    made(reservation).isOpen = false;
    const startedAt = now();
    const started = Array.from(
      { length: Math.min(found, count) },
      (): SlotRecord => ({ ...unlinked(), endpoint: record.key, record, lane, startedAt }),
    );
    if (lane === "proven") for (const slot of started) append(ageing, slot);
    for (let rest = started.length; rest < count; rest += 1) release(record, lane);
    hostLimit.giveBack(record.host, tick, count - started.length);
    if (found < count && waitingVersion === record.waitingVersion) setWaiting(record, false);
    place(record);
    return started;
  }

  function cancel(reservation: Reservation): void {
    const { record, lane, count, tick, isFromRing, isOpen } = made(reservation);
    if (!isOpen) return;
    made(reservation).isOpen = false;
    // Another claim may have skipped these deliveries while they were locked, and found nothing.
    if (isFromRing) setWaiting(record, true);
    for (let given = 0; given < count; given += 1) release(record, lane);
    hostLimit.giveBack(record.host, tick, count);
    place(record);
  }

  function end(ended: readonly EndedSlot[]): EndpointState[] {
    catchUp();
    const records = new Set<EndpointRecord>();
    for (const { slot, outcome, durationMs } of ended) {
      const ending = given(slot);
      const { record, lane } = ending;
      if (lane === "ended") continue;
      ending.lane = "ended";
      remove(ending);
      release(record, lane);
      record.standing = standingAfter(record.standing, [{ outcome, durationMs }]);
      record.consecutiveFailures = outcome === "delivered" ? 0 : record.consecutiveFailures + 1;
      if (outcome !== "delivered") {
        record.needsReset = true;
        record.unrecordedFailures += 1;
      }
      records.add(record);
    }
    const changed = [...records].filter(hasChanged);
    for (const record of records) place(record);
    return changed.map((record) => {
      record.stored = record.standing;
      record.isStoredAsDown = isDown(record);
      const { key, standing, consecutiveFailures, origin } = record;
      return { ...key, ...standing, consecutiveFailures, origin };
    });
  }

  function recorded(ended: readonly EndedSlot[]): void {
    for (const { slot, outcome } of ended) {
      const { record } = given(slot);
      if (outcome !== "delivered") record.unrecordedFailures -= 1;
      // A failure that ended later, or is not recorded yet, may be stored after this success.
      else if (record.consecutiveFailures === 0 && record.unrecordedFailures === 0) record.needsReset = false;
    }
    for (const { slot } of ended) rest(given(slot).record);
  }

  /** Ages attempts and ends rests. Returns the time. */
  function catchUp(): number {
    const at = now();
    for (let slot = ageing.first; slot && at - slot.startedAt >= IN_TIME_MS; slot = ageing.first) {
      remove(slot);
      slot.lane = "aged";
      usage.proven -= 1;
      usage.aged += 1;
      holdOther(slot.record.tenant, 1);
      slot.record.standing = { ...slot.record.standing, isProven: false };
      place(slot.record);
    }
    for (let record = resting.first; record && record.restsUntil <= at; record = resting.first) {
      unplace(record);
      place(record);
    }
    return at;
  }

  /** Returns when the host's limit counted it. */
  function take(record: EndpointRecord, lane: Lane): number {
    count(record, lane, 1);
    return hostLimit.take(record.host);
  }

  function release(record: EndpointRecord, lane: Lane | "aged"): void {
    count(record, lane, -1);
  }

  function count(record: EndpointRecord, lane: Lane | "aged", change: 1 | -1): void {
    record.inFlight += change;
    if (lane === "down") usage.other += change;
    usage[lane] += change;
    if (lane === "proven" || lane === "aged") turns.proven.hold(record.tenant.queues.proven, change);
    if (lane !== "proven") holdOther(record.tenant, change);
  }

  function holdOther({ queues }: TenantRecord, change: 1 | -1): void {
    turns.other.hold(queues.other, change);
    turns.down.hold(queues.down, change);
  }

  function setWaiting(record: EndpointRecord, isWaiting: boolean): void {
    if (record.isWaiting !== isWaiting) waitingCount += isWaiting ? 1 : -1;
    record.isWaiting = isWaiting;
  }

  /** Puts the endpoint where it belongs now. If it is there already, it keeps its turn. */
  function place(record: EndpointRecord): void {
    const lane = record.isWaiting && hasRoom(record) ? laneOf(record) : null;
    const isEarly = record.restsUntil > now() && (lane === "down" || !hostLimit.hasRoom(record.host));
    if (lane !== null && !isEarly) {
      if (record.queuedIn === lane) return;
      unplace(record);
      turns[lane].push(record.tenant.queues[lane], record);
      record.queuedIn = lane;
    } else if (lane !== null) {
      if (record.list === resting) return;
      unplace(record);
      append(resting, record);
    } else {
      unplace(record);
      rest(record);
    }
  }

  function unplace(record: EndpointRecord): void {
    if (record.queuedIn !== null)
      turns[record.queuedIn].remove(record.tenant.queues[record.queuedIn], record);
    else if (record.list === resting) remove(record);
    record.queuedIn = null;
  }

  return {
    ...{ reserve, addWaiting, next, start, cancel, end, recorded },
    isHealthy: (slot) => !given(slot).record.needsReset,
    get freeProven() {
      catchUp();
      return Math.max(0, freeOf("proven", usage, lanes));
    },
    get inFlight() {
      return usage.proven + usage.other + usage.aged;
    },
    get hasWaiting() {
      return waitingCount > 0;
    },
    get wakeAt() {
      if (waitingCount === 0) return null;
      const ages = ageing.first === null ? Number.POSITIVE_INFINITY : ageing.first.startedAt + IN_TIME_MS;
      const rests = resting.first?.restsUntil ?? Number.POSITIVE_INFINITY;
      const wakeAt = Math.min(ages, rests);
      return wakeAt === Number.POSITIVE_INFINITY ? null : wakeAt;
    },
  };
}

function newReservation(
  record: EndpointRecord,
  taken: Pick<ReservationRecord, "lane" | "count" | "tick" | "isFromRing">,
): ReservationRecord {
  const { key: endpoint, waitingVersion } = record;
  return { ...taken, endpoint, record, waitingVersion, isOpen: true };
}

// Callers hold reservations and slots that only the scheduler makes.
const made = (reservation: Reservation) => reservation as ReservationRecord;
const given = (slot: Slot) => slot as SlotRecord;
