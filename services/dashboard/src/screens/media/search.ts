// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type MediaSearch = {};

export function mediaSearch(_search: Record<string, unknown>): MediaSearch {
  return {};
}
