// Publishes the first event of an aggregate right after its commit, by the process that wrote it. The relay would have to read it back from
// the outbox.
//
// The event is committed as reserved: like a row that was tried once and awaits its retry. Until the reservation ends, relays skip it and
// later events of its aggregate. If the process dies, or the broker does not confirm the event, a relay publishes it after the reservation.
// The event may be published twice, but never too early: its aggregate has no older one.
import { queryTogether } from "@tradepost/postgres";
import { batch } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { NewOutboxRow } from "./outbox.ts";
import { type OutboxRow, publishInOrder, type RelayContext, type RowOutcome } from "./publish-in-order.ts";
import { MOVE_PUBLISHED } from "./publish-shards.ts";

export interface CommittedRow {
  readonly outboxId: string;
  readonly occurredAt: Date;
}

/** `data` is the stored text. */
export type CommittedFirstEvent = NewOutboxRow & CommittedRow;

export interface FirstEvents {
  /**
   * Reserves an event that its statement writes with a new aggregate: sets `attempts`, or leaves the event unchanged, for the relay. The
   * statement must also write `reservedUntil` to `next_try_at`, and return `COMMITTED_ROW`.
   */
  reserve(event: NewOutboxRow): NewOutboxRow;
  /** Call it after the commit, also for an event that was not reserved. */
  committed(event: CommittedFirstEvent): void;
}

/** SQL: until when an event with this value of `attempts` is reserved. */
export function reservedUntil(attempts: string): string {
  return `now() + ${attempts}::integer * interval '2 seconds'`;
}

/** SQL for a `CommittedRow` of the subquery `event`. With a join, an order took Postgres 1.9 CPU-ms instead of 0.7 at full load. */
export const COMMITTED_ROW = `(select id from event)::text as "outboxId", (select occurred_at from event) as "occurredAt"`;

// After a crash, events that were not moved yet are published again.
const MOVE_AFTER_MS = 100;
const MOVED_MAX = 200;
const SEND_WITHIN_MS = 20;
// Beyond these limits the relay is faster.
const IN_FLIGHT_MAX = 500;
const IN_FLIGHT_CHARACTERS_MAX = 4 * 1024 * 1024;

interface Options {
  readonly isUp: () => boolean;
  readonly wake: () => void;
  readonly onPublished: (count: number) => void;
}

export function startFirstEvents(relay: RelayContext, { isUp, wake, onPublished }: Options) {
  const move = createMove(relay);
  const inFlight = new Set<Promise<void>>();
  let charactersInFlight = 0;
  let isStopping = false;

  // The response is sent first.
  const send = batch<OutboxRow, RowOutcome | undefined>({
    itemsMax: IN_FLIGHT_MAX,
    maxWaitMs: SEND_WITHIN_MS,
    lingers: true,
    work: async (rows) => {
      failPoint("first-event.committed");
      return rows.map(async (row) => (await publishInOrder([row], relay))[0]);
    },
  });

  async function publish({ outboxId, occurredAt, ...event }: CommittedFirstEvent): Promise<void> {
    const sent = await send({ ...event, id: outboxId, occurred_at: occurredAt });
    if (sent?.outcome !== "confirmed") return wake();
    failPoint("first-event.confirmed");
    onPublished(1);
    move.later(outboxId);
  }

  const firstEvents: FirstEvents = {
    reserve: (event) => {
      const hasRoom = inFlight.size < IN_FLIGHT_MAX && charactersInFlight < IN_FLIGHT_CHARACTERS_MAX;
      return isUp() && !isStopping && hasRoom ? { ...event, attempts: 1 } : event;
    },
    committed: (event) => {
      if (event.attempts === 0) return wake();
      charactersInFlight += event.data.length;
      const published = publish(event).finally(() => {
        charactersInFlight -= event.data.length;
        inFlight.delete(published);
      });
      inFlight.add(published);
    },
  };
  /** Resolves when all events committed until now are published and moved, or left to the relay. */
  async function settle(): Promise<void> {
    await Promise.all(inFlight);
    await move.now();
  }

  return {
    ...firstEvents,
    move: move.now,
    settle,
    stop: () => {
      isStopping = true;
      return settle();
    },
  };
}

function createMove(relay: Pick<RelayContext, "pool" | "logger">) {
  let confirmedIds: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let moving = Promise.resolve();

  /** Resolves when all events confirmed until now are moved, or left to be published again. */
  function now(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const ids = confirmedIds;
    confirmedIds = [];
    if (ids.length > 0) moving = Promise.all([moving, moveReserved(ids, relay)]).then(() => undefined);
    return moving;
  }

  return {
    now,
    later: (outboxId: string) => {
      confirmedIds.push(outboxId);
      if (confirmedIds.length >= MOVED_MAX) void now();
      else timer ??= setTimeout(now, MOVE_AFTER_MS);
    },
  };
}

/** Does not wait for the disk: after a crash of the database the events of the last half second are published again. */
async function moveReserved(
  ids: readonly string[],
  { pool, logger }: Pick<RelayContext, "pool" | "logger">,
): Promise<void> {
  try {
    await queryTogether(pool, [
      { text: "begin" },
      { text: "set local synchronous_commit = off" },
      { text: MOVE_PUBLISHED, values: [ids, true] },
      { text: "commit" },
    ]);
    failPoint("first-event.moved");
  } catch (error) {
    logger.warn(
      { err: error, count: ids.length },
      "published events were not moved; they are published again",
    );
  }
}
