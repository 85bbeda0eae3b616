import type { Job, RequestFacts } from "../../delivery/delivery.ts";
import type { Addressed } from "../../endpoint/endpoint.ts";
import type { Slot } from "../scheduler/scheduler.ts";

/** A delivery with an attempt to record. */
export interface AttemptedDelivery extends Job {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly requestId: string;
  /** The trace of the request that caused the event; null if it is not known. */
  readonly traceparent: string | null;
  readonly type: string;
  /** The version of the subscription that the attempt was made with. */
  readonly subscriptionVersion: number;
  /** The attempt is not recorded if it has been leased again since. */
  readonly leasedAt?: Date;
}

/** A delivery that this process has claimed for one attempt. */
export interface ClaimedDelivery extends AttemptedDelivery, RequestFacts, Addressed {
  /** Its subscription has no failures, and its last success was recorded less than 10 seconds before the claim. */
  readonly isRecordedHealthy: boolean;
  /** Since its creation, in ms; 0 if it is attempted at once. */
  readonly waitedMs: number;
  /** Who delayed it, as far as the database knows: the tenant by a pause, or the endpoint by a failure. */
  readonly heldBy: HeldBy;
}
export type HeldBy = "no" | "endpoint" | "tenant";

export interface StartedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly slot: Slot;
}

/** A claim lasts as long as an attempt can take; this is the time before and after the request. */
const LOCK_MARGIN_MS = 5_000;

/** In ms. When a claim expires without a renewal, the sweep considers the process dead, and another one repeats the attempt. */
export function lockTime(timeoutMs: number): number {
  return timeoutMs + LOCK_MARGIN_MS;
}
