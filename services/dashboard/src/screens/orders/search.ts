// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type OrdersSearch = {};

export function ordersSearch(_search: Record<string, unknown>): OrdersSearch {
  return {};
}
