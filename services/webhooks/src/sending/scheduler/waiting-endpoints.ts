// The endpoints with deliveries waiting in Postgres. Each is in the ring of its lane, or rests, or is nowhere while its window is full.
import { type EndpointRecord, hasRoom, laneOf } from "./endpoint-record.ts";
import { type HostLimit, TICK_MS } from "./host-limit.ts";
import type { Lane } from "./lanes.ts";
import { append, createList, remove } from "./linked-list.ts";
import type { Rings } from "./turns.ts";

/**
 * The least time between two attempts at an endpoint that is down: one that refuses at once could otherwise get thousands. After
 * it, an endpoint also looks again whether its host may get more.
 */
const REST_MS = TICK_MS;

interface Parts {
  rings: Rings<EndpointRecord>;
  hostLimit: HostLimit;
  /** Runs for an endpoint that can start nothing now: it may have nothing to do any more. */
  onIdle: (record: EndpointRecord) => void;
  now: () => number;
}

export function createWaitingEndpoints({ rings, hostLimit, onIdle, now }: Parts) {
  /** Endpoints that are down and have just been probed, and endpoints whose hosts have had their attempts. */
  const resting = createList<EndpointRecord>();
  let count = 0;

  /** Puts the endpoint where it belongs now. If it is there already, it keeps its turn. */
  function place(record: EndpointRecord): void {
    const lane = record.isWaiting && hasRoom(record) ? laneOf(record) : null;
    const isEarly = record.restsUntil > now() && (lane === "down" || !hostLimit.hasRoom(record.host));
    if (lane !== null && !isEarly) {
      if (record.queuedIn === lane) return;
      unplace(record);
      rings[lane].push(record.tenant.queues[lane], record);
      record.queuedIn = lane;
    } else if (lane !== null) {
      if (record.list === resting) return;
      unplace(record);
      append(resting, record);
    } else {
      unplace(record);
      onIdle(record);
    }
  }

  function unplace(record: EndpointRecord): void {
    if (record.queuedIn !== null)
      rings[record.queuedIn].remove(record.tenant.queues[record.queuedIn], record);
    else if (record.list === resting) remove(record);
    record.queuedIn = null;
  }

  return {
    place,
    /** Says whether deliveries of the endpoint wait. Place it afterwards. */
    set: (record: EndpointRecord, isWaiting: boolean) => {
      if (record.isWaiting !== isWaiting) count += isWaiting ? 1 : -1;
      record.isWaiting = isWaiting;
    },
    /** The endpoint has had its turn in the lane: it goes behind the others, or rests if it is down. */
    endTurn: (record: EndpointRecord, lane: Lane, at: number) => {
      if (lane === "down") record.restsUntil = at + REST_MS;
      unplace(record);
      place(record);
    },
    /** The host may get no more now. The endpoint rests behind the host's other endpoints, so that they take turns when the host may get more. */
    restForHost: (record: EndpointRecord, at: number) => {
      record.restsUntil = at + REST_MS;
      unplace(record);
      append(resting, record);
    },
    endRests: (at: number) => {
      for (let record = resting.first; record && record.restsUntil <= at; record = resting.first) {
        unplace(record);
        place(record);
      }
    },
    /** How many endpoints have deliveries waiting. */
    get count() {
      return count;
    },
    get nextRestEndsAt() {
      return resting.first?.restsUntil ?? Number.POSITIVE_INFINITY;
    },
  };
}

export type WaitingEndpoints = ReturnType<typeof createWaitingEndpoints>;
