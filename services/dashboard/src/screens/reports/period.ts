// The periods of reports. Each is compared with the same part of the period before: at noon on Tuesday, this week with last week until
// noon on Tuesday. Pure.
import { CHANNELS } from "../../format/order-words.ts";
import { dayIn, given, like, oneOf, parameters } from "../../format/search-values.ts";
import { shop } from "../../format/shop.ts";
import { DAY_MS, dayOf, fieldOf, instantOf, startOfDay } from "../../format/time.ts";

export const PERIODS = {
  "30-days": "Last 30 days",
  today: "Today",
  yesterday: "Yesterday",
  week: "This week",
  "last-week": "Last week",
  month: "This month",
  "last-month": "Last month",
  own: "Own days",
} as const;

export const SHOWN = { revenue: "Revenue", orders: "Orders" } as const;

export type ReportSearch = ReturnType<typeof reportSearch>;

/** `to` is a day that is included. */
export const reportSearch = parameters({
  period: oneOf(PERIODS),
  from: dayIn,
  to: dayIn,
  channel: oneOf(CHANNELS),
  currency: like(/^[A-Z]{3}$/),
  show: oneOf(SHOWN),
});

/** Instants; `to` is not included. */
interface Range {
  readonly from: string;
  readonly to: string;
}

export interface Period {
  readonly now: Range;
  readonly before: Range;
  readonly by: "day" | "week" | "month";
}

const DAYS_MAX = 92;
const WEEKS_MAX = 400;

export function periodOf({ period = "30-days", from, to }: ReportSearch, now: Date): Period {
  const today = dayOf(now);
  const [first, end, before] = daysOf(period, today, from, to);
  const length = daysBetween(first, end);
  // Tomorrow and the days after it have no orders yet.
  const isOver = end <= today;
  const endBefore = startOfDay(first);
  const sameDay = daysLater(before, daysBetween(first, today));
  const sameMoment = instantOf(fieldOf(now.toISOString()).replace(today, sameDay)) ?? endBefore;
  return {
    now: { from: startOfDay(first), to: isOver ? startOfDay(end) : startOfDay(today, 1) },
    before: {
      from: startOfDay(before),
      to: isOver || sameMoment > endBefore ? endBefore : sameMoment,
    },
    by: length <= DAYS_MAX ? "day" : length <= WEEKS_MAX ? "week" : "month",
  };
}

type Days = [first: string, end: string, before: string];

/** The first day, the day after the last, and the first day of the period before. */
function daysOf(period: keyof typeof PERIODS, today: string, from = today, to = from): Days {
  const monday = daysLater(today, -((new Date(today).getUTCDay() + 6) % 7));
  const end = daysLater([from, to].toSorted().at(-1) ?? to, 1);
  const days: Readonly<Record<keyof typeof PERIODS, Days>> = {
    today: [today, daysLater(today, 1), daysLater(today, -1)],
    yesterday: [daysLater(today, -1), today, daysLater(today, -2)],
    week: [monday, daysLater(monday, 7), daysLater(monday, -7)],
    "last-week": [daysLater(monday, -7), monday, daysLater(monday, -14)],
    month: [monthLater(today, 0), monthLater(today, 1), monthLater(today, -1)],
    "last-month": [monthLater(today, -1), monthLater(today, 0), monthLater(today, -2)],
    "30-days": [daysLater(today, -29), daysLater(today, 1), daysLater(today, -59)],
    own: [from, end, daysLater(from, -daysBetween(from, end))],
  };
  return days[period];
}

function daysLater(day: string, days: number): string {
  const time = new Date(day);
  time.setUTCDate(time.getUTCDate() + days);
  return time.toISOString().slice(0, day.length);
}

function monthLater(day: string, months: number): string {
  const time = new Date(day);
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months, 1))
    .toISOString()
    .slice(0, day.length);
}

function daysBetween(first: string, end: string): number {
  return Math.round((Date.parse(end) - Date.parse(first)) / DAY_MS);
}

export function statisticsQuery({ from, to }: Range, by: Period["by"], channel: ReportSearch["channel"]) {
  return { from, to, by, timeZone: shop().timeZone, ...given({ channel }) } as const;
}
