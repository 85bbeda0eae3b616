import type { DataOf } from "@tradepost/client/operations";

export type Entry = DataOf<"getEntry">;

export const STATUS_TEXTS: Readonly<Record<Entry["status"], string>> = {
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Live",
};

type Standing = Pick<Entry, "publishedRevision" | "hasUnpublishedChanges">;

export function standingOf({ publishedRevision, hasUnpublishedChanges }: Standing) {
  if (publishedRevision === null) return { text: "Draft", tone: "quiet" } as const;
  if (hasUnpublishedChanges) return { text: "Live with unpublished changes", tone: "warning" } as const;
  return { text: "Live", tone: "good" } as const;
}

export const STALE = ["getEntry", "listEntries", "listRevisions"] as const;
