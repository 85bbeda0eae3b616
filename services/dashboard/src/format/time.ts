// Times as people read and type them, in the zone of the shop.
import { dateText, number, shop } from "./shop.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

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

/** `23 Nov 2026, 14:05`, in the given zone or the shop's. */
export function absoluteTime(iso: string, timeZone = shop().timeZone): string {
  return dateText(iso, { dateStyle: "medium", timeStyle: "short", timeZone });
}

/** `23 Nov 2026, 14:05:31`: for logs. */
export function exactTime(iso: string): string {
  return dateText(iso, { dateStyle: "medium", timeStyle: "medium" });
}

/** `24 Nov 2026` for `2026-11-24`. */
export function dayText(day: string): string {
  return dateText(day, { dateStyle: "medium", timeZone: "UTC" });
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
  return ms < 1_000 ? `${ms} ms` : `${number(ms / 1_000, 1)} s`;
}

/**
 * Converts the time of a field (`2026-11-23T14:05`, in the shop's zone), of an address or of a day to UTC:
 * `2026-11-23T13:05:00.000Z`; undefined if it is not a time.
 */
export function instantOf(text: string): string | undefined {
  const isOfZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text);
  const time = new Date(isOfZone ? `${text}Z` : text);
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(time.getTime())) return undefined;
  const instant = isOfZone ? atWallClock(time) : time;
  const year = instant.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? instant.toISOString() : undefined;
}

/** The instant at which a day such as `2026-11-23` begins in the shop's zone, or the day `daysLater` days later. */
export function startOfDay(day: string, daysLater = 0): string {
  const midnight = new Date(`${day}T00:00:00Z`);
  midnight.setUTCDate(midnight.getUTCDate() + daysLater);
  return atWallClock(midnight).toISOString();
}

/** The instant at which the clocks of the shop's zone show the time that `wall` has in UTC. */
function atWallClock(wall: Date): Date {
  const shownAt = (instant: number) => Date.parse(`${fieldOf(new Date(instant).toISOString())}Z`);
  const minute = Math.floor(wall.getTime() / 60_000) * 60_000;
  // The second step is right also if the clocks change between the first guess and the instant.
  const guess = wall.getTime() - (shownAt(minute) - minute);
  const floor = Math.floor(guess / 60_000) * 60_000;
  return new Date(wall.getTime() - (shownAt(floor) - floor));
}

/** The value of a `datetime-local` field: `2026-11-23T14:05`; empty if the text is not a time. */
export function fieldOf(iso: string): string {
  if (Number.isNaN(Date.parse(iso))) return "";
  const { timeZone } = shop();
  const options = { timeZone, dateStyle: "short", timeStyle: "short" } as const;
  // Swedish has the form of ISO 8601.
  return new Intl.DateTimeFormat("sv", options).format(new Date(iso)).replace(" ", "T");
}

export function dayOf(time: Date): string {
  return fieldOf(time.toISOString()).slice(0, DATE_CHARACTERS);
}

const DATE_CHARACTERS = 10;

export type PeriodField = "date" | "datetime-local";

const PERIODS = [
  { text: "Today", days: 1 },
  { text: "7 days", days: 7 },
  { text: "30 days", days: 30 },
] as const;

/** Each begins with the midnight `from` and has no end. */
export function periodsUntil(now: Date, field: PeriodField) {
  return PERIODS.map(({ text, days }) => {
    const from = fieldOf(startOfDay(dayOf(now), 1 - days));
    return { text, from: field === "date" ? from.slice(0, DATE_CHARACTERS) : from };
  });
}

/** `Times are in Europe/Berlin, UTC+1.` */
export function zoneText(now: Date): string {
  const { timeZone } = shop();
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(now);
  const offset = parts.find(({ type }) => type === "timeZoneName")?.value.replace("GMT", "UTC") ?? "";
  return offset === "UTC+0" || offset === timeZone
    ? `Times are in ${timeZone}.`
    : `Times are in ${timeZone}, ${offset}.`;
}
