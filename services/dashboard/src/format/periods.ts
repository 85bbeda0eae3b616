// The periods that people ask for most, as values of form fields. Pure but for the zone of the browser.
import { fieldOf } from "./local-time.ts";

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

/** Each period includes today. */
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
