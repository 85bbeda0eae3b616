// The common part of all changes of a subscription.

/** The operations whose data is read again after a change of a subscription. */
export const STALE = ["listSubscriptions", "getSubscription"] as const;
