// The result of trying a filter in words. Pure.
import type { DataOf } from "@tradepost/client/operations";

/** `12 of the latest 1,000 events match`. */
export function previewText({
  examined,
  matched,
}: Pick<DataOf<"previewFilter">, "examined" | "matched">): string {
  if (examined === 0) return "Nothing has happened yet that it could be tried on";
  if (examined === 1) return matched === 1 ? "The latest event matches" : "The latest event does not match";
  return `${shown(matched)} of the latest ${shown(examined)} events ${matched === 1 ? "matches" : "match"}`;
}

function shown(count: number): string {
  return count.toLocaleString("en");
}
