import type { Cause } from "@tradepost/messaging";

/** Who changes a subscription, and on which condition. */
export interface Conditions {
  /** The request's header, which names a version of the subscription. */
  readonly ifMatch: string | undefined;
  readonly cause: Cause;
}
