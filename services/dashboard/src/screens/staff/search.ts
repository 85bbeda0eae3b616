// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type StaffSearch = {};

export function staffSearch(_search: Record<string, unknown>): StaffSearch {
  return {};
}
