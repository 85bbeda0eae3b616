import type { Job } from "../../delivery/delivery.ts";
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
  /** When it was leased: the attempt is not recorded if it has been leased again since. */
  readonly leasedAt?: Date;
}

/** A delivery that this process has claimed for one attempt, with everything that the request needs. */
export interface ClaimedDelivery extends AttemptedDelivery {
  /** When the event was committed, in ISO 8601. */
  readonly occurredAt: string;
  readonly url: string;
  readonly secretSealed: Buffer;
  /** The secret before a rotation, during its overlap. */
  readonly previousSecretSealed: Buffer | null;
  /** The subscription's own headers; null if it has none. */
  readonly headersSealed: Buffer | null;
  /** The event's data as JSON text, byte for byte as it was received. */
  readonly data: string;
  readonly resourceId: string | null;
  /** Null if the resource has no version. */
  readonly resourceVersion: number | null;
  /** The replay that sends the delivery; null without one. */
  readonly replayId: string | null;
  /**
   * Whether the subscription's health needs no change after a success: it has no failures, and its last success was
   * recorded less than 10 seconds before the claim.
   */
  readonly isRecordedHealthy: boolean;
  /** How long the delivery has existed, in ms; 0 if it is attempted as soon as it is created. */
  readonly waitedMs: number;
  /** Who delayed it, as far as the database knows: the tenant by a pause, or the endpoint by a failure, since it was created. */
  readonly heldBy: HeldBy;
}

export type HeldBy = "no" | "endpoint" | "tenant";

/** A claimed delivery whose attempt has started. */
export interface StartedDelivery {
  readonly delivery: ClaimedDelivery;
  readonly slot: Slot;
}

/** A claim lasts as long as an attempt can take; this is the time before and after the request. */
const LOCK_MARGIN_MS = 5_000;

/**
 * Returns how long a claim locks a delivery, in ms. The process renews its claims (`renew-claims.ts`). When a claim expires, the
 * sweep considers the process dead, and another one repeats the attempt.
 */
export function lockTime(timeoutMs: number): number {
  return timeoutMs + LOCK_MARGIN_MS;
}
