// Counts the attempts that start at each host, in constant time, so that a tenant's subscriptions together cannot flood a host
// (interface §7). A host is forgotten a second after its last attempt.
import { append, createList, type Linked, remove, unlinked } from "./linked-list.ts";

export type HostLimit = ReturnType<typeof createHostLimit>;

export const TICK_MS = 100;
/** The current tick, and the whole second before it. */
const TICKS = 11;

interface HostRecord extends Linked<HostRecord> {
  readonly host: string;
  /** The count of tick n is at index n modulo TICKS. */
  readonly counts: number[];
  total: number;
  tick: number;
}

/** `perSecondMax()` may change and is at least 1. A null host has no limit. */
export function createHostLimit(perSecondMax: () => number, now: () => number) {
  const hosts = new Map<string, HostRecord>();
  const byUse = createList<HostRecord>();

  function recordOf(host: string, tick: number): HostRecord {
    const known = hosts.get(host);
    if (known !== undefined) {
      advance(known, tick);
      return known;
    }
    const record = { ...unlinked<HostRecord>(), host, counts: Array<number>(TICKS).fill(0), total: 0, tick };
    hosts.set(host, record);
    return record;
  }

  function forgetOld(tick: number): void {
    for (let record = byUse.first; record && record.tick <= tick - TICKS; record = byUse.first) {
      remove(record);
      hosts.delete(record.host);
    }
  }

  const tickOf = () => Math.floor(now() / TICK_MS);

  return {
    hasRoom: (host: string | null): boolean => {
      const record = host === null ? undefined : hosts.get(host);
      if (record === undefined) return true;
      advance(record, tickOf());
      return record.total < perSecondMax();
    },
    /** Returns the tick of the attempt. */
    take: (host: string | null): number => {
      const tick = tickOf();
      if (host === null || perSecondMax() === Number.POSITIVE_INFINITY) return tick;
      forgetOld(tick);
      const record = recordOf(host, tick);
      record.counts[tick % TICKS] = (record.counts[tick % TICKS] ?? 0) + 1;
      record.total += 1;
      append(byUse, record);
      return tick;
    },
    /** Uncounts attempts that do not start. */
    giveBack: (host: string | null, tick: number, count: number): void => {
      const record = host === null ? undefined : hosts.get(host);
      if (record === undefined || tick <= record.tick - TICKS) return;
      record.counts[tick % TICKS] = (record.counts[tick % TICKS] ?? 0) - count;
      record.total -= count;
    },
  };
}

function advance(record: HostRecord, tick: number): void {
  for (let left = Math.min(tick - record.tick, TICKS); left > 0; left -= 1) {
    const index = (tick - left + 1) % TICKS;
    record.total -= record.counts[index] ?? 0;
    record.counts[index] = 0;
  }
  record.tick = Math.max(record.tick, tick);
}
