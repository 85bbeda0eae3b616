import { type EndpointKey, type EndpointRecord, hasRoom, laneOf } from "./endpoint-record.ts";
import type { HostLimit } from "./host-limit.ts";
import type { Lane } from "./lanes.ts";
import type { Rings } from "./turns.ts";
import type { UsageCounter } from "./usage.ts";
import type { WaitingEndpoints } from "./waiting-endpoints.ts";

/** Start or cancel it once. */
export interface Reservation {
  readonly endpoint: EndpointKey;
  count: number;
  readonly isRestrained: boolean;
  readonly record: EndpointRecord;
  readonly lane: Lane;
  readonly tick: number;
  readonly waitingVersion: number;
  readonly recordedVersion: number;
  readonly isFromRing: boolean;
  isOpen: boolean;
}

const LANES = ["proven", "other", "down"] as const satisfies Lane[];

interface Parts {
  rings: Rings<EndpointRecord>;
  usage: UsageCounter;
  waiting: WaitingEndpoints;
  hostLimit: HostLimit;
}

export function createReservations({ rings, usage, waiting, hostLimit }: Parts) {
  let laneTurn = 0;

  function reserve(record: EndpointRecord, wanted: number): Reservation | null {
    const lane = laneOf(record);
    if (record.isWaiting || record.isRestrained || lane === "down") return null;
    const mayTake = () =>
      hasRoom(record) &&
      hostLimit.hasRoom(record.host) &&
      usage.mayStart(lane, record.tenant.queues[lane].held);
    let count = 0;
    let tick = 0;
    while (count < wanted && mayTake()) {
      tick = take(record, lane);
      count += 1;
    }
    return count === 0 ? null : newReservation(record, { lane, count, tick, isFromRing: false });
  }

  function next(countMax: number, at: number): Reservation[] {
    const reservations = new Map<EndpointRecord, Reservation>();
    // Lanes take turns, so that none is left out if `countMax` is small.
    for (let count = 0, refusals = 0; count < countMax && refusals < LANES.length; ) {
      const lane = LANES[laneTurn] ?? "other";
      laneTurn = (laneTurn + 1) % LANES.length;
      const taken = takeTurn(lane, at);
      refusals = taken === null ? refusals + 1 : 0;
      if (taken === null) continue;
      const { record, tick } = taken;
      count += 1;
      const reservation = reservations.get(record);
      if (reservation !== undefined) reservation.count += 1;
      else reservations.set(record, newReservation(record, { lane, count: 1, tick, isFromRing: true }));
      waiting.endTurn(record, lane, at);
    }
    return [...reservations.values()];
  }

  function takeTurn(lane: Lane, at: number): { record: EndpointRecord; tick: number } | null {
    for (;;) {
      const queue = rings[lane].first();
      const record = queue?.items.first ?? null;
      // No other tenant has fewer attempts, so none may start.
      if (queue === null || record === null || !usage.mayStart(lane, queue.held)) return null;
      if (hostLimit.hasRoom(record.host)) return { record, tick: take(record, lane) };
      waiting.restForHost(record, at);
    }
  }

  /** Returns the tick of the attempt in the host's limit. */
  function take(record: EndpointRecord, lane: Lane): number {
    usage.take(record, lane);
    return hostLimit.take(record.host);
  }

  return {
    ...{ reserve, next },
    giveBack: ({ record, lane, tick }: Readonly<Reservation>, count: number) => {
      for (let given = 0; given < count; given += 1) usage.release(record, lane);
      hostLimit.giveBack(record.host, tick, count);
    },
  };
}

/** Returns false if it was closed before. */
export function closeReservation(reservation: Reservation): boolean {
  const { isOpen } = reservation;
  reservation.isOpen = false;
  return isOpen;
}

function newReservation(
  record: EndpointRecord,
  taken: Pick<Reservation, "lane" | "count" | "tick" | "isFromRing">,
): Reservation {
  const { key: endpoint, waitingVersion, recordedVersion, isRestrained } = record;
  return { ...taken, endpoint, record, waitingVersion, recordedVersion, isRestrained, isOpen: true };
}
