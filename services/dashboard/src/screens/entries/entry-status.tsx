import { absoluteTime, DAY_MS } from "../../format/time.ts";
import { Note } from "../../ui/note.tsx";
import { Badge, Countdown, Time } from "../../ui/value.tsx";
import { type Entry, standingOf } from "./status.ts";

export function StatusBadge({ entry }: { readonly entry: Entry }) {
  const { publishAt, status, publishedRevision } = entry;
  return (
    <span className="row">
      {(status !== "scheduled" || publishedRevision !== null) && <Badge {...standingOf(entry)} />}
      {status === "scheduled" && publishAt !== null && (
        <Badge tone="info">
          Scheduled for <time dateTime={publishAt}>{absoluteTime(publishAt)}</time>
        </Badge>
      )}
    </span>
  );
}

export function ScheduleNote({ entry: { status, publishAt, scheduleError } }: { readonly entry: Entry }) {
  if (status !== "scheduled" || publishAt === null) return null;
  const at = Date.parse(publishAt);
  const isSoon = at - Date.now() < DAY_MS;
  return (
    <>
      <Note tone="info" title={`Goes live on ${absoluteTime(publishAt)}`}>
        <p>
          {absoluteTime(publishAt, "UTC")} UTC · {isSoon ? <Countdown until={at} /> : <Time at={publishAt} />}
          {isSoon && " left"}
        </p>
      </Note>
      {scheduleError !== undefined && (
        <Note tone="danger" title="It could not go live on time" text={scheduleError}>
          <p>
            It is tried again every minute. Correct the draft and publish it, or take it off the schedule.
          </p>
        </Note>
      )}
    </>
  );
}

export const READ_ONLY = { neededRole: "editor", title: "You see entries and cannot change them" } as const;
