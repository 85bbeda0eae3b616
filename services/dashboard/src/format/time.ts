// Times as people read and type them. Pure.

/** The units, each with its length and the seconds from which it is used. "In 90 days" is clearer than "in 3 months". */
const STEPS = [
  { unit: "year", from: 31_536_000, length: 31_536_000 },
  { unit: "month", from: 8_640_000, length: 2_592_000 },
  { unit: "day", from: 86_400, length: 86_400 },
  { unit: "hour", from: 3_600, length: 3_600 },
  { unit: "minute", from: 60, length: 60 },
] as const;

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

// The clocks of the platform and of the browser differ by about this much, so what has just happened may lie in the future.
const CLOCKS_DIFFER_SECONDS = 5;

/** `3 minutes ago`, `in 2 days`; within the last minute `just now`. */
export function relativeTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  const step = STEPS.find(({ from }) => Math.abs(Math.round(seconds)) >= from);
  if (step === undefined) return seconds > CLOCKS_DIFFER_SECONDS ? "in less than a minute" : "just now";
  return RELATIVE.format(Math.round(seconds / step.length), step.unit);
}

/** `23 Nov 2026, 14:05`, in the given zone or the browser's. */
export function absoluteTime(iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso));
}

/** `23 Nov 2026, 14:05:31`: for logs, in the given zone or the browser's. */
export function exactTime(iso: string, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", ...zone }).format(
    new Date(iso),
  );
}

/** Formats a day such as `2026-11-24` as `24 Nov 2026`. */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
}

/** The time left, never below zero: `4:05`, `1:02:09`. */
export function countdown(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** `120 ms`, `10.0 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Converts the time of a field or an address to UTC: `2026-11-23T13:05:00.000Z`; undefined if it is not a time. */
export function instantOf(text: string): string | undefined {
  const time = new Date(text);
  const isKnown = !Number.isNaN(time.getTime()) && time.getFullYear() >= 1970 && time.getFullYear() <= 9999;
  return isKnown && /^\d{4}-\d\d-\d\d/.test(text) ? time.toISOString() : undefined;
}

/** The value of a `datetime-local` field: `2026-11-23T14:05`. */
export function fieldOf(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}

export interface Period {
  readonly text: string;
  /** The start, at midnight in the browser's zone. There is no end. */
  readonly from: string;
}

export type PeriodField = "date" | "datetime-local";

const PERIODS = [
  { text: "Today", days: 1 },
  { text: "7 days", days: 7 },
  { text: "30 days", days: 30 },
] as const;

const DATE_CHARACTERS = 10;

export function periodsUntil(now: Date, field: PeriodField): Period[] {
  return PERIODS.map(({ text, days }) => {
    const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
    const from = fieldOf(start.toISOString());
    return { text, from: field === "date" ? from.slice(0, DATE_CHARACTERS) : from };
  });
}

/** `Times are in Europe/Berlin, UTC+1.` */
export function zoneText(now: Date, timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(now);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value.replace("GMT", "UTC") ?? "";
  return offset === "UTC+0" || offset === timeZone
    ? `Times are in ${timeZone}.`
    : `Times are in ${timeZone}, ${offset}.`;
}
