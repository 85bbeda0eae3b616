// The endpoints with deliveries waiting in Postgres. Each is in the ring of its lane, or rests, or has a full window.
import TinyQueue from "tinyqueue";
import { type EndpointRecord, hasRoom, laneOf, type Rest, type Resting } from "./endpoint-record.ts";
import { type HostLimit, TICK_MS } from "./host-limit.ts";
import type { Lane } from "./lanes.ts";
import type { Rings } from "./turns.ts";

// An endpoint that is down and refuses at once could otherwise get thousands of attempts.
const REST_MS = TICK_MS;

interface Parts {
  rings: Rings<EndpointRecord>;
  hostLimit: HostLimit;
  /** Runs for an endpoint that can start nothing now, and may be idle. */
  onIdle: (record: EndpointRecord) => void;
  now: () => number;
}

export function createWaitingEndpoints(parts: Parts) {
  const { now } = parts;
  const rests = createRests();
  const { place, unplace } = createPlaces({ ...parts, rests });
  let count = 0;
  return {
    place,
    set: (record: EndpointRecord, isWaiting: boolean) => {
      if (record.isWaiting !== isWaiting) count += isWaiting ? 1 : -1;
      record.isWaiting = isWaiting;
      place(record);
    },
    /** Puts the endpoint after the others, or lets it rest if it is down. */
    endTurn: (record: EndpointRecord, lane: Lane, at: number) => {
      if (lane === "down") record.restsUntil = at + REST_MS;
      unplace(record);
      place(record);
    },
    /** Puts the endpoint after the host's other endpoints, so that all take turns. */
    restForHost: (record: EndpointRecord, at: number) => {
      record.restsUntil = at + REST_MS;
      record.limitedUntil = record.restsUntil;
      unplace(record);
      rests.add(record, record.restsUntil);
    },
    /** A hold is kept apart from other rests: an admin may end it. */
    rest: (record: EndpointRecord, { ms, because }: Rest) => {
      const until = now() + ms;
      if (because === "held") record.heldUntil = until;
      else record.restsUntil = until;
      record.restsForAttempt = because === "in flight";
      place(record);
    },
    endRestForAttempt: (record: EndpointRecord) => {
      record.recordedVersion += 1;
      if (!record.restsForAttempt) return;
      record.restsForAttempt = false;
      record.restsUntil = 0;
      place(record);
    },
    endRests: (at: number) => {
      for (let record = rests.takeEnded(at); record !== null; record = rests.takeEnded(at)) {
        unplace(record);
        place(record);
      }
    },
    get count() {
      return count;
    },
    get nextRestEndsAt() {
      return rests.nextEndsAt;
    },
  };
}

export type WaitingEndpoints = ReturnType<typeof createWaitingEndpoints>;

/** Endpoints whose rests end at the same time take turns. */
function createRests() {
  const resting = new TinyQueue<Resting>(
    [],
    (one, other) => one.until - other.until || one.turn - other.turn,
  );
  let turn = 0;
  return {
    add: (record: EndpointRecord, until: number) => {
      record.resting = { until, turn, record };
      turn += 1;
      resting.push(record.resting);
    },
    /** Skips endpoints that were placed elsewhere meanwhile. */
    takeEnded: (at: number): EndpointRecord | null => {
      for (let next = resting.peek(); next && next.until <= at; next = resting.peek()) {
        resting.pop();
        if (next.record.resting === next) return next.record;
      }
      return null;
    },
    get nextEndsAt() {
      return resting.peek()?.until ?? Number.POSITIVE_INFINITY;
    },
  };
}

function createPlaces({
  rings,
  hostLimit,
  rests,
  onIdle,
  now,
}: Parts & { rests: ReturnType<typeof createRests> }) {
  /** Puts the endpoint into its ring or lets it rest. If it is there already, it keeps its turn. */
  function place(record: EndpointRecord): void {
    const lane = record.isWaiting && hasRoom(record) ? laneOf(record) : null;
    const until = lane === null ? 0 : earliest(record, lane);
    if (lane !== null && until <= now()) {
      if (record.queuedIn === lane) return;
      unplace(record);
      rings[lane].push(record.tenant.queues[lane], record);
      record.queuedIn = lane;
    } else if (lane !== null) {
      if (record.resting?.until === until) return;
      unplace(record);
      rests.add(record, until);
    } else {
      unplace(record);
      onIdle(record);
    }
  }

  function earliest(record: EndpointRecord, lane: Lane): number {
    const mustRest = lane === "down" || record.isRestrained || !hostLimit.hasRoom(record.host);
    return Math.max(record.heldUntil, mustRest ? record.restsUntil : 0);
  }

  function unplace(record: EndpointRecord): void {
    if (record.queuedIn !== null)
      rings[record.queuedIn].remove(record.tenant.queues[record.queuedIn], record);
    record.queuedIn = null;
    record.resting = null;
  }

  return { place, unplace };
}
