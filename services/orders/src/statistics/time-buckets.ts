// Divides a period into days, weeks or months of a time zone. Pure.

export const units = ["day", "week", "month"] as const;
export type Unit = (typeof units)[number];

/**
 * The starts of the days, weeks (from Monday) or months that overlap the period, `to` exclusive. The first may be before `from`.
 * Null if there are more than `countMax`.
 */
export function bucketStarts(
  { from, to }: { readonly from: Date; readonly to: Date },
  by: Unit,
  timeZone: string,
  countMax: number,
): Date[] | null {
  const zone = zoneOf(timeZone);
  const starts: Date[] = [];
  for (let date = firstDate(zone.dateOf(from.getTime()), by); ; date = nextDate(date, by)) {
    const start = zone.startOf(date);
    if (start >= to.getTime()) return starts;
    if (starts.length === countMax) return null;
    starts.push(new Date(start));
  }
}

const DAY_MS = 24 * 60 * 60_000;

/** The first date of the week or month. Dates are midnights in UTC. */
function firstDate(date: number, by: Unit): number {
  if (by === "day") return date;
  const day = new Date(date);
  if (by === "month") return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
  return date - ((day.getUTCDay() + 6) % 7) * DAY_MS;
}

function nextDate(date: number, by: Unit): number {
  if (by === "day") return date + DAY_MS;
  if (by === "week") return date + 7 * DAY_MS;
  const day = new Date(date);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
}

function zoneOf(timeZone: string) {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const shownAt = (time: number): number => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const [year, month, day] = [Number(parts.year), Number(parts.month) - 1, Number(parts.day)];
    const shown = new Date(
      Date.UTC(2000, month, day, Number(parts.hour), Number(parts.minute), Number(parts.second)),
    );
    shown.setUTCFullYear(parts.era === "BC" ? 1 - year : year, month, day);
    return shown.getTime();
  };
  return {
    dateOf: (time: number) => Math.floor(shownAt(time) / DAY_MS) * DAY_MS,
    /** Midnight, unless the clocks skip it; then the moment when they are set forward. */
    startOf: (date: number) => {
      // No clock is more than a day away from UTC or set by more than a day.
      let before = date - 2 * DAY_MS;
      let within = date + 2 * DAY_MS;
      const offset = shownAt(date) - date;
      for (const guess of [date - offset, date - (shownAt(date - offset) - (date - offset))]) {
        if (shownAt(guess) === date && shownAt(guess - 1_000) < date) return guess;
      }
      while (within - before > 1_000) {
        const middle = Math.floor((before + within) / 2_000) * 1_000;
        if (shownAt(middle) >= date) within = middle;
        else before = middle;
      }
      return within;
    },
  };
}
