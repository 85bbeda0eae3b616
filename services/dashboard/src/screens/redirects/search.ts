// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type RedirectsSearch = {};

export function redirectsSearch(_search: Record<string, unknown>): RedirectsSearch {
  return {};
}
