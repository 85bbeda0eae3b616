// The actions on an entry. Each asks first, and acts on the version that is on the screen.
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useChange } from "../../data/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { ScreenActions } from "../../ui/screen.tsx";
import { say } from "../../ui/toasts.tsx";
import { ScheduleDialog } from "./schedule-dialog.tsx";
import { STALE } from "./stale.ts";
import type { Entry } from "./status.ts";

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
  const input = { path: { id: entry.id }, ...(etag !== undefined && { ifMatch: etag }) };
  const incomplete = (failure: Failure) => {
    close();
    onEdit(failure);
  };
  const dialogProps = { entry, input, onClose: close };
  const isScheduled = status === "scheduled";
  const hasNews = publishedRevision === null || hasUnpublishedChanges;
  return (
    <ScreenActions>
      {hasNews && (
        <Button look="primary" onClick={() => setOpen("publish")}>
          Publish
        </Button>
      )}
      <Button onClick={() => onEdit(null)}>Edit draft</Button>
      {hasNews && (
        <Button onClick={() => setOpen("schedule")}>{isScheduled ? "Change schedule" : "Schedule"}</Button>
      )}
      {isScheduled && <Button onClick={() => setOpen("unschedule")}>Unschedule</Button>}
      <Menu label="More actions">
        {publishedRevision !== null && <MenuItem onClick={() => setOpen("unpublish")}>Unpublish</MenuItem>}
        <MenuItem onClick={() => setOpen("delete")}>Delete</MenuItem>
      </Menu>
      {open === "publish" && <Publish {...dialogProps} onIncomplete={incomplete} />}
      {open === "schedule" && (
        <ScheduleDialog entry={entry} etag={etag} onIncomplete={incomplete} onClose={close} />
      )}
      {open === "unschedule" && <Unschedule {...dialogProps} />}
      {open === "unpublish" && <Unpublish {...dialogProps} />}
      {open === "delete" && <Delete {...dialogProps} />}
    </ScreenActions>
  );
}

interface ActionProps {
  readonly entry: Entry;
  readonly input: { readonly path: { readonly id: string }; readonly ifMatch?: string };
  readonly onClose: () => void;
}

/** Returns a function that reports a successful change and closes the dialog. */
function done(sentence: string, onClose: () => void) {
  return () => {
    say(sentence);
    onClose();
  };
}

interface PublishProps extends ActionProps {
  readonly onIncomplete: (failure: Failure) => void;
}

function Publish({ entry, input, onClose, onIncomplete }: PublishProps) {
  const change = useChange("publishEntry", { stale: STALE, onDone: done("It is live now.", onClose) });
  const confirm = () =>
    change.mutate(input, {
      onError: (failure) => {
        if (failure.status === 422) onIncomplete(failure);
      },
    });
  return (
    <ConfirmDialog
      title="Publish the draft?"
      action="Publish"
      look="primary"
      change={change}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>
        Revision {entry.revision} is live at once
        {entry.publishedRevision === null ? "." : `, in place of revision ${entry.publishedRevision}.`}
        {entry.status === "scheduled" && " Its schedule ends."}
      </Text>
    </ConfirmDialog>
  );
}

function Unschedule({ input, onClose }: ActionProps) {
  const change = useChange("unscheduleEntry", {
    stale: STALE,
    onDone: done("The schedule is gone.", onClose),
  });
  return (
    <ConfirmDialog
      title="Take it off the schedule?"
      action="Unschedule"
      change={change}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Text>Nothing goes live by itself then. The draft stays.</Text>
    </ConfirmDialog>
  );
}

function Unpublish({ input, onClose }: ActionProps) {
  const change = useChange("unpublishEntry", {
    stale: STALE,
    onDone: done("It is no longer live.", onClose),
  });
  return (
    <ConfirmDialog
      title="Take it offline?"
      action="Unpublish"
      change={change}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Text>Visitors no longer see it. The draft stays, and you can publish it again.</Text>
    </ConfirmDialog>
  );
}

function Delete({ entry, input, onClose }: ActionProps) {
  const navigate = useNavigate();
  const change = useChange("deleteEntry", {
    stale: ["listEntries"],
    onDone: () => {
      say("The entry is deleted.");
      void navigate({ to: "/entries" });
    },
  });
  return (
    <ConfirmDialog
      title="Delete the entry?"
      action="Delete entry"
      change={change}
      onConfirm={() => change.mutate(input)}
      onClose={onClose}
    >
      <Text>
        {entry.publishedRevision !== null && "It is live, and goes offline at once. "}
        The draft and all revisions are gone for good.
      </Text>
    </ConfirmDialog>
  );
}

function Text({ children }: { readonly children: ReactNode }) {
  return <p>{children}</p>;
}
