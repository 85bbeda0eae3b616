/** The operations whose data is read again after an entry has changed. */
export const STALE = ["getEntry", "listEntries", "listRevisions"] as const;
