// The time at which a scheduled entry goes live, in the browser's zone and in UTC, and the time until then.
import { absoluteTime } from "../../format/time.ts";
import { Note } from "../../ui/note.tsx";
import { Countdown, Time } from "../../ui/time.tsx";
import type { Entry } from "./status.ts";

const DAY_MS = 86_400_000;

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
        <Note tone="danger" title="It could not go live on time">
          <p>{scheduleError}</p>
          <p>
            It is tried again every minute. Correct the draft and publish it, or take it off the schedule.
          </p>
        </Note>
      )}
    </>
  );
}
