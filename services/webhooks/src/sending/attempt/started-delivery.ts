import type { claims } from "../../delivery/delivery.ts";
import type { Slot } from "../scheduler/scheduler.ts";

export interface StartedDelivery {
  readonly delivery: claims.ClaimedDelivery;
  readonly slot: Slot;
}

/** A claim lasts as long as an attempt can take; this is the time before and after the request. */
const LOCK_MARGIN_MS = 5_000;

/** In ms. When a claim expires without a renewal, the sweep considers the process dead, and another one repeats the attempt. */
export function lockTime(timeoutMs: number): number {
  return timeoutMs + LOCK_MARGIN_MS;
}
