// Started attempts. An attempt in the proven lane **ages** when it has run for longer than IN_TIME_MS: it leaves the lane, and its
// endpoint counts as unproven until its next success in time.
import type { Outcome } from "../../delivery-status.ts";
import { IN_TIME_MS, standingAfter } from "../../endpoint/endpoint.ts";
import {
  type EndpointKey,
  type EndpointRecord,
  type EndpointState,
  hasChanged,
  hasRoom,
  hold,
  isDown,
} from "./endpoint-record.ts";
import type { Lane } from "./lanes.ts";
import { append, createList, type Linked, remove, unlinked } from "./linked-list.ts";
import type { UsageCounter } from "./usage.ts";
import type { WaitingEndpoints } from "./waiting-endpoints.ts";

/** End it once, even if its result is not recorded. It is in the list `ageing` while it may age. */
export interface Slot extends Linked<Slot> {
  readonly endpoint: EndpointKey;
  /** How long the endpoint itself had allowed another attempt when this one started; 0 if it did not. */
  readonly freeMs: number;
  readonly record: EndpointRecord;
  lane: Lane | "aged" | "ended";
  readonly startedAt: number;
}

export interface EndedSlot {
  readonly slot: Slot;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly holdMs?: number | null;
}

export function createAttempts({
  usage,
  waiting,
  now,
}: {
  usage: UsageCounter;
  waiting: WaitingEndpoints;
  now: () => number;
}) {
  /** In the proven lane, oldest first. */
  const ageing = createList<Slot>();

  function start(record: EndpointRecord, lane: Lane, count: number): Slot[] {
    const startedAt = now();
    if (lane !== "proven" || record.isRestrained) record.limitedUntil = startedAt;
    const freeMs = Math.max(0, startedAt - record.limitedUntil);
    const started = Array.from(
      { length: count },
      (): Slot => ({ ...unlinked(), endpoint: record.key, freeMs, record, lane, startedAt }),
    );
    if (lane === "proven") for (const slot of started) append(ageing, slot);
    return started;
  }

  function age(at: number): void {
    for (let slot = ageing.first; slot && at - slot.startedAt >= IN_TIME_MS; slot = ageing.first) {
      remove(slot);
      slot.lane = "aged";
      usage.age(slot.record);
      slot.record.standing = { ...slot.record.standing, isProven: false };
      waiting.place(slot.record);
    }
  }

  /** Returns the endpoints whose state has changed and must be stored. */
  function end(ended: readonly EndedSlot[]): EndpointState[] {
    const records = new Set<EndpointRecord>();
    for (const { slot, outcome, durationMs, holdMs = null } of ended) {
      const { record, lane } = slot;
      if (lane === "ended") continue;
      slot.lane = "ended";
      remove(slot);
      if (!record.standing.isProven || !hasRoom(record)) record.limitedUntil = now();
      usage.release(record, lane);
      record.standing = standingAfter(record.standing, [{ outcome, durationMs }]);
      record.consecutiveFailures = outcome === "delivered" ? 0 : record.consecutiveFailures + 1;
      if (outcome !== "delivered") {
        record.needsReset = true;
        record.unrecordedFailures += 1;
      }
      if (holdMs !== null) hold(record, now() + holdMs);
      records.add(record);
    }
    const changed = [...records].filter(hasChanged);
    for (const record of records) waiting.place(record);
    return changed.map(toBeStored);
  }

  return {
    ...{ start, age, end },
    get nextAgesAt() {
      return ageing.first === null ? Number.POSITIVE_INFINITY : ageing.first.startedAt + IN_TIME_MS;
    },
  };
}

export function recordEnd({ slot, outcome }: EndedSlot): void {
  const { record } = slot;
  if (outcome !== "delivered") record.unrecordedFailures -= 1;
  // A failure that ended later may be stored after this success.
  else if (record.consecutiveFailures === 0 && record.unrecordedFailures === 0) record.needsReset = false;
}

/** Keeps `needsReset`: the result may still have been stored. */
export function giveUpRecording({ slot, outcome }: EndedSlot): void {
  if (outcome !== "delivered") slot.record.unrecordedFailures -= 1;
}

function toBeStored(record: EndpointRecord): EndpointState {
  record.stored = record.standing;
  record.isStoredAsDown = isDown(record);
  const { key, standing, consecutiveFailures, origin, isRestrained } = record;
  return { ...key, ...standing, consecutiveFailures, origin, isRestrained, heldForMs: null };
}
