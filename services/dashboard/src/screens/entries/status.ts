import type { DataOf } from "@tradepost/client/operations";

export type Entry = DataOf<"getEntry">;

export const STATUS_TEXTS: Readonly<Record<Entry["status"], string>> = {
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Live",
};

type Standing = Pick<Entry, "status" | "publishedRevision" | "hasUnpublishedChanges">;

export function liveText({ publishedRevision, hasUnpublishedChanges }: Standing): string {
  if (publishedRevision === null) return "Draft";
  return hasUnpublishedChanges ? "Live with unpublished changes" : "Live";
}

export function toneOf({ publishedRevision, hasUnpublishedChanges }: Standing) {
  if (publishedRevision === null) return "quiet";
  return hasUnpublishedChanges ? "warning" : "good";
}

export const STALE = ["getEntry", "listEntries", "listRevisions"] as const;
