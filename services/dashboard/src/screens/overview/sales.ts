// The figures of the overview: orders and revenue of today, 7 and 30 days, compared with the days before. Pure.

import type { DataOf } from "@tradepost/client/operations";
import { number, shop } from "../../format/shop.ts";
import { dayOf, startOfDay } from "../../format/time.ts";

type Statistics = DataOf<"getOrderStatistics">;
type Bucket = Statistics["currencies"][number]["buckets"][number];

interface Amounts {
  readonly orders: number;
  readonly revenue: number;
}

export interface Sales {
  readonly currency: string;
  /** Each ends today. `before` is as many days before it. */
  readonly periods: readonly { readonly days: number; readonly now: Amounts; readonly before: Amounts }[];
  /** Of the longest period, the earliest first. `before` is the day as many days before. */
  readonly days: readonly { readonly at: string; readonly now: Amounts; readonly before: Amounts }[];
}

const PERIODS = [1, 7, 30];
const LONGEST = 30;

/** The query for the days of the longest period and as many before. */
export function salesQuery(now: Date) {
  const day = (offset: number) => startOfDay(dayOf(now), offset);
  return { from: day(1 - 2 * LONGEST), to: day(1), by: "day", timeZone: shop().timeZone } as const;
}

/** The currency with the most orders comes first. */
export function salesOf({ currencies }: Pick<Statistics, "currencies">): Sales[] {
  const all = currencies.map(({ currency, buckets }) => ({
    currency,
    periods: PERIODS.map((days) => ({
      days,
      now: sumOf(buckets.slice(-days)),
      before: sumOf(buckets.slice(-2 * days, -days)),
    })),
    days: buckets.slice(-LONGEST).map((bucket, index) => ({
      at: bucket.at,
      now: sumOf([bucket]),
      before: sumOf(buckets.slice(-2 * LONGEST).slice(index, index + 1)),
    })),
  }));
  return all.toSorted((a, b) => ordersOf(b) - ordersOf(a));
}

function ordersOf({ periods }: Sales): number {
  return periods.at(-1)?.now.orders ?? 0;
}

/** `+25 %`, `−8 %`; undefined if there was nothing before. */
export function changeText(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const percent = Math.round((now / before - 1) * 100);
  return `${percent < 0 ? "−" : "+"}${number(Math.abs(percent))} %`;
}

// Amounts have at most four decimals, and the sum of floating-point numbers may have more.
const UNITS_PER_ONE = 10_000;

function sumOf(buckets: readonly Bucket[]): Amounts {
  const units = buckets.reduce(
    (sum, { total, refunded }) =>
      sum + Math.round(total * UNITS_PER_ONE) - Math.round(refunded * UNITS_PER_ONE),
    0,
  );
  return {
    orders: buckets.reduce((sum, { orders }) => sum + orders, 0),
    revenue: units / UNITS_PER_ONE,
  };
}
