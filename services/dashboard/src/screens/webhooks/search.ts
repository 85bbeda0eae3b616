// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type WebhooksSearch = {};

export function webhooksSearch(_search: Record<string, unknown>): WebhooksSearch {
  return {};
}

// biome-ignore lint/complexity/noBannedTypes: grows
export type SubscriptionSearch = {};

export function subscriptionSearch(_search: Record<string, unknown>): SubscriptionSearch {
  return {};
}
