// What every change of a subscription has in common.

/** What a change of a subscription makes stale. */
export const STALE = ["listSubscriptions", "getSubscription"] as const;

export function ifMatchOf(etag: string | undefined): { readonly ifMatch?: string } {
  return etag === undefined ? {} : { ifMatch: etag };
}
