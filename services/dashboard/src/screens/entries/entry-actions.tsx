// The actions on an entry. Each asks first, and acts on the version that is on the screen.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { absoluteTime, fieldOf, HOUR_MS, instantOf, zoneText } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { ChangeDialog, Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { TextField } from "../../ui/field.tsx";
import { MenuDialog, ScreenActions } from "../../ui/screen.tsx";
import { type Entry, STALE } from "./status.ts";

interface EntryActionsProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly onEdit: (obstacle: Failure | null) => void;
}

export function EntryActions(props: EntryActionsProps) {
  const { entry, onEdit } = props;
  const isScheduled = entry.status === "scheduled";
  const hasNews = entry.publishedRevision === null || entry.hasUnpublishedChanges;
  return (
    <ScreenActions>
      <DialogButton text="Publish" look="primary" isOffered={hasNews}>
        <PublishDialog {...props} />
      </DialogButton>
      <Button text="Edit draft" onClick={() => onEdit(null)} />
      <DialogButton text={isScheduled ? "Change schedule" : "Schedule"} isOffered={hasNews}>
        <ScheduleDialog {...props} />
      </DialogButton>
      <DialogButton text="Unschedule" isOffered={isScheduled}>
        <Confirm
          {...changeOf(props)}
          title="Take it off the schedule?"
          action="Unschedule"
          operation="unscheduleEntry"
          done="The schedule is gone."
          text="Nothing goes live by itself then. The draft stays."
        />
      </DialogButton>
      <MenuDialog text="Unpublish" isOffered={entry.publishedRevision !== null}>
        <Confirm
          {...changeOf(props)}
          title="Take it offline?"
          action="Unpublish"
          operation="unpublishEntry"
          done="It is no longer live."
          text="Visitors no longer see it. The draft stays, and you can publish it again."
        />
      </MenuDialog>
      <MenuDialog text="Delete">
        <DeleteDialog {...props} />
      </MenuDialog>
    </ScreenActions>
  );
}

function changeOf({ entry, etag }: Pick<EntryActionsProps, "entry" | "etag">) {
  return { input: { path: { id: entry.id }, ifMatch: etag }, stale: STALE };
}

function PublishDialog({ entry, etag, onEdit }: EntryActionsProps) {
  const { revision, publishedRevision, status } = entry;
  return (
    <Confirm
      {...changeOf({ entry, etag })}
      title="Publish the draft?"
      action="Publish"
      look="primary"
      operation="publishEntry"
      done="It is live now."
      onError={(failure) => failure.status === 422 && onEdit(failure)}
    >
      <p>
        Revision {revision} is live at once
        {publishedRevision === null ? "." : `, in place of revision ${publishedRevision}.`}
        {status === "scheduled" && " Its schedule ends."}
      </p>
    </Confirm>
  );
}

function DeleteDialog({ entry, etag }: EntryActionsProps) {
  const navigate = useNavigate();
  return (
    <Confirm
      {...changeOf({ entry, etag })}
      title="Delete the entry?"
      action="Delete entry"
      operation="deleteEntry"
      stale={["listEntries"]}
      done="The entry is deleted."
      onDone={() => navigate({ to: "/entries" })}
    >
      <p>
        {entry.publishedRevision !== null && "It is live, and goes offline at once. "}
        The draft and all revisions are gone for good.
      </p>
    </Confirm>
  );
}

const YEARS_MAX = 5;

function ScheduleDialog({ entry, etag, onEdit }: EntryActionsProps) {
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
      onError={(failure) => failure.details.some(({ path }) => path.startsWith("data")) && onEdit(failure)}
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
