// The rows of the ledger: the sums of each day, and below the unfolded day the sums of its types. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { DAY_MS } from "../../format/time.ts";
import type { EventType } from "../../format/webhooks.ts";

export type LedgerDay = DataOf<"getLedger">;

export const COUNTS = [
  "events",
  "matched",
  "filtered",
  "delivered",
  "failed",
  "waiting",
  "cancelled",
] as const;

type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

export interface LedgerRow {
  readonly id: string;
  readonly counts: Counts;
  readonly type: EventType | null;
  readonly day: LedgerDay;
}

export function latestDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now - index * DAY_MS).toISOString().slice(0, 10),
  );
}

export function rowsOf(days: readonly LedgerDay[], unfolded: string | undefined): LedgerRow[] {
  return days.flatMap((day) => [
    { id: day.day, counts: sumOf(day.types), type: null, day },
    ...(day.day === unfolded ? day.types : []).map(({ type, ...counts }) => ({
      id: `${day.day} ${type}`,
      counts,
      type,
      day,
    })),
  ]);
}

function sumOf(types: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => types.reduce((total, counts) => total + counts[name], 0);
  return Object.fromEntries(COUNTS.map((name) => [name, sum(name)])) as Record<keyof Counts, number>;
}
