// The search parameters of the screens. Pure.

// biome-ignore lint/complexity/noBannedTypes: grows
export type EntriesSearch = {};

export function entriesSearch(_search: Record<string, unknown>): EntriesSearch {
  return {};
}

// biome-ignore lint/complexity/noBannedTypes: grows
export type NewEntrySearch = {};

export function newEntrySearch(_search: Record<string, unknown>): NewEntrySearch {
  return {};
}

// biome-ignore lint/complexity/noBannedTypes: grows
export type EntrySearch = {};

export function entrySearch(_search: Record<string, unknown>): EntrySearch {
  return {};
}
