// The actions on an entry. Each asks first, and acts on the version that is on the screen.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { absoluteTime, fieldOf, HOUR_MS, instantOf, zoneText } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, Confirm } from "../../ui/change-dialogs.tsx";
import { TextField } from "../../ui/field.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { ScreenActions, ScreenMenu } from "../../ui/screen.tsx";
import { type Entry, STALE } from "./status.ts";

interface EntryActionsProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly onEdit: (obstacle: Failure | null) => void;
}

type Open = "publish" | "schedule" | "unschedule" | "unpublish" | "delete";

export function EntryActions({ entry, etag, onEdit }: EntryActionsProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const { status, publishedRevision, hasUnpublishedChanges } = entry;
  const close = () => setOpen(null);
  const incomplete = (failure: Failure) => {
    close();
    onEdit(failure);
  };
  const isScheduled = status === "scheduled";
  const hasNews = publishedRevision === null || hasUnpublishedChanges;
  return (
    <ScreenActions>
      {hasNews && <Button text="Publish" look="primary" onClick={() => setOpen("publish")} />}
      <Button text="Edit draft" onClick={() => onEdit(null)} />
      {hasNews && (
        <Button text={isScheduled ? "Change schedule" : "Schedule"} onClick={() => setOpen("schedule")} />
      )}
      {isScheduled && <Button text="Unschedule" onClick={() => setOpen("unschedule")} />}
      <ScreenMenu>
        {publishedRevision !== null && <MenuItem text="Unpublish" onClick={() => setOpen("unpublish")} />}
        <MenuItem text="Delete" onClick={() => setOpen("delete")} />
      </ScreenMenu>
      {open === "schedule" && (
        <ScheduleDialog entry={entry} etag={etag} onIncomplete={incomplete} onClose={close} />
      )}
      <Question entry={entry} etag={etag} open={open} onIncomplete={incomplete} onClose={close} />
    </ScreenActions>
  );
}

interface QuestionProps extends ScheduleDialogProps {
  readonly open: Open | null;
}

function Question({ entry, etag, open, onIncomplete, onClose }: QuestionProps) {
  const navigate = useNavigate();
  const shared = { input: { path: { id: entry.id }, ifMatch: etag }, stale: STALE, onClose };
  const { publishedRevision } = entry;
  switch (open) {
    case "publish":
      return (
        <Confirm
          {...shared}
          title="Publish the draft?"
          action="Publish"
          look="primary"
          operation="publishEntry"
          done="It is live now."
          onError={(failure) => failure.status === 422 && onIncomplete(failure)}
        >
          <p>
            Revision {entry.revision} is live at once
            {publishedRevision === null ? "." : `, in place of revision ${publishedRevision}.`}
            {entry.status === "scheduled" && " Its schedule ends."}
          </p>
        </Confirm>
      );
    case "unschedule":
      return (
        <Confirm
          {...shared}
          title="Take it off the schedule?"
          action="Unschedule"
          operation="unscheduleEntry"
          done="The schedule is gone."
        >
          <p>Nothing goes live by itself then. The draft stays.</p>
        </Confirm>
      );
    case "unpublish":
      return (
        <Confirm
          {...shared}
          title="Take it offline?"
          action="Unpublish"
          operation="unpublishEntry"
          done="It is no longer live."
        >
          <p>Visitors no longer see it. The draft stays, and you can publish it again.</p>
        </Confirm>
      );
    case "delete":
      return (
        <Confirm
          {...shared}
          title="Delete the entry?"
          action="Delete entry"
          operation="deleteEntry"
          stale={["listEntries"]}
          done="The entry is deleted."
          onDone={() => navigate({ to: "/entries" })}
        >
          <p>
            {publishedRevision !== null && "It is live, and goes offline at once. "}
            The draft and all revisions are gone for good.
          </p>
        </Confirm>
      );
    default:
      return null;
  }
}

interface ScheduleDialogProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly onIncomplete: (failure: Failure) => void;
  readonly onClose: () => void;
}

const YEARS_MAX = 5;

function ScheduleDialog({ entry, etag, onIncomplete, onClose }: ScheduleDialogProps) {
  const [text, setText] = useState(() => (entry.publishAt ? fieldOf(entry.publishAt) : inAnHour()));
  const publishAt = instantOf(text);
  return (
    <ChangeDialog
      title="Schedule the draft"
      action="Schedule"
      operation="scheduleEntry"
      input={() => ({ path: { id: entry.id }, body: { publishAt: publishAt ?? text }, ifMatch: etag })}
      stale={STALE}
      done={`It goes live on ${publishAt && absoluteTime(publishAt)}.`}
      onError={(failure) =>
        failure.details.some(({ path }) => path.startsWith("data")) && onIncomplete(failure)
      }
      onClose={onClose}
    >
      <p>
        Revision {entry.revision} goes live at that time, as it is now. Later changes of the draft do not go
        with it.
      </p>
      <TextField
        label="Goes live"
        hint={`${zoneText(new Date())}${publishAt === undefined ? "" : ` In UTC: ${absoluteTime(publishAt, "UTC")}.`} At most ${YEARS_MAX} years ahead.`}
        name="publishAt"
        type="datetime-local"
        required
        min={fieldOf(new Date().toISOString())}
        max={lastDay()}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </ChangeDialog>
  );
}

function inAnHour(): string {
  return fieldOf(new Date(Date.now() + HOUR_MS).toISOString());
}

function lastDay(): string {
  const last = new Date();
  last.setFullYear(last.getFullYear() + YEARS_MAX);
  return fieldOf(last.toISOString());
}
