// The badges of an entry: its live state, and its schedule.
import { absoluteTime } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Entry, liveText, toneOf } from "./status.ts";

export function StatusBadge({ entry }: { readonly entry: Entry }) {
  const { publishAt, status, publishedRevision } = entry;
  return (
    <span className="row">
      {(status !== "scheduled" || publishedRevision !== null) && (
        <Badge tone={toneOf(entry)}>{liveText(entry)}</Badge>
      )}
      {status === "scheduled" && publishAt !== null && (
        <Badge tone="info">
          Scheduled for <time dateTime={publishAt}>{absoluteTime(publishAt)}</time>
        </Badge>
      )}
    </span>
  );
}
