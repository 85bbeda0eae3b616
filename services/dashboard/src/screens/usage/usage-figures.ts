import type { DataOf } from "@tradepost/client/operations";
import { DAY_MS } from "../../format/time.ts";

type Usage = DataOf<"getUsage">;
type Day = Usage["requests"][number];

export function quotasOf({ mediaBytes, eventBytes, quotas }: Usage) {
  return [
    { name: "Media", hint: "Files and their smaller versions.", used: mediaBytes, max: quotas.mediaBytes },
    {
      name: "Events",
      hint: "What the feeds and the log of webhooks keep for 30 days.",
      used: eventBytes,
      max: quotas.eventBytes,
    },
  ];
}

/** The platform opens a notice at the same share. */
const NEAR = 0.8;

export function isNear({ used, max }: ReturnType<typeof quotasOf>[number]): boolean {
  return max !== null && used >= NEAR * max;
}

export function requestsOf(days: readonly Day[]): { readonly total: number; readonly refused: number } {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return { total: sum(days.map(({ count }) => count)), refused: sum(days.map(({ refused }) => refused)) };
}

const DAYS = 31;

/** Returns every day of the last 31, the oldest first, including days without requests. */
export function daysOf(days: readonly Day[], now: number): Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: DAYS }, (_, index) => {
    const day = new Date(now - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, count: 0, refused: 0 };
  });
}
