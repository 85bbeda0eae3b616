// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type EventsSearch = {};

export function eventsSearch(_search: Record<string, unknown>): EventsSearch {
  return {};
}
