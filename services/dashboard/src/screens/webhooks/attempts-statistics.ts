import type { DataOf } from "@tradepost/client/operations";
import { dateText, number } from "../../format/shop.ts";
import { DAY_MS, duration, HOUR_MS } from "../../format/time.ts";

type Statistics = DataOf<"getWebhookStatistics">;
type Bucket = Statistics["buckets"][number];
export type Total = Statistics["total"];

/** The 24 hours up to the end of this hour, so that the request is the same throughout the hour. */
export function lastDay(now: number): { readonly from: string; readonly to: string } {
  const to = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
  const from = to - DAY_MS;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

export function barsOf(buckets: readonly Bucket[]) {
  return buckets.map(({ at, delivered, failed }) => ({
    id: at,
    label: dateText(at, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }),
    values: [delivered, failed],
  }));
}

export function figuresOf({ attempts, failed, durationP50Ms, durationP95Ms }: Total) {
  return {
    Attempts: number(attempts),
    Failed: `${number(failed)}${failed === 0 ? "" : ` (${share(failed, attempts)})`}`,
    p50: durationP50Ms === null ? "–" : duration(durationP50Ms),
    p95: durationP95Ms === null ? "–" : duration(durationP95Ms),
  };
}

/** `2.5 %`. Only nothing is shown as 0 %, and only all as 100 %. */
function share(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  if (percent < 0.1) return "< 0.1 %";
  if (percent > 99.9 && part < whole) return "> 99.9 %";
  return `${number(Number(percent.toFixed(1)))} %`;
}
