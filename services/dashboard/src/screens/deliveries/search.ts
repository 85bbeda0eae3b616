// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type DeliveriesSearch = {};

export function deliveriesSearch(_search: Record<string, unknown>): DeliveriesSearch {
  return {};
}
