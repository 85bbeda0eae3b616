// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type CustomersSearch = {};

export function customersSearch(_search: Record<string, unknown>): CustomersSearch {
  return {};
}
