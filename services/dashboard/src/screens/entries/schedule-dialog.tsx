// Chooses when the draft goes live, in the browser's time zone, and shows the same time in UTC.
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { fieldOf, instantOf } from "../../format/local-time.ts";
import { absoluteTime } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { say } from "../../ui/toasts.tsx";
import { STALE } from "./stale.ts";
import type { Entry } from "./status.ts";

interface ScheduleDialogProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  /** Called if the draft is at fault, not the time. */
  readonly onIncomplete: (failure: Failure) => void;
  readonly onClose: () => void;
}

const HOUR_MS = 3_600_000;
const YEARS_MAX = 5;

export function ScheduleDialog({ entry, etag, onIncomplete, onClose }: ScheduleDialogProps) {
  const [text, setText] = useState(() => (entry.publishAt ? fieldOf(entry.publishAt) : inAnHour()));
  const publishAt = instantOf(text);
  const schedule = useChange("scheduleEntry", {
    stale: STALE,
    onDone: () => {
      say(`It goes live on ${publishAt && absoluteTime(publishAt)}.`);
      onClose();
    },
  });
  const { byField, rest } = fieldErrors(schedule.error?.details ?? [], ["publishAt"]);
  const submit = () =>
    schedule.mutate(
      {
        path: { id: entry.id },
        body: { publishAt: publishAt ?? text },
        ...(etag !== undefined && { ifMatch: etag }),
      },
      {
        onError: (failure) => {
          if (failure.details.some(({ path }) => path.startsWith("data"))) onIncomplete(failure);
        },
      },
    );
  return (
    <Dialog title="Schedule the draft" onClose={onClose}>
      <Form failure={schedule.error} onSubmit={submit}>
        {schedule.error && <ErrorNote failure={schedule.error} details={rest} />}
        <p>
          Revision {entry.revision} goes live at that time, as it is now. Later changes of the draft do not go
          with it.
        </p>
        <Field
          label="Goes live"
          hint={`Your time zone is ${Intl.DateTimeFormat().resolvedOptions().timeZone}.${publishAt === undefined ? "" : ` In UTC: ${absoluteTime(publishAt, "UTC")}.`} At most ${YEARS_MAX} years ahead.`}
          error={byField.publishAt}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="datetime-local"
              required
              min={fieldOf(new Date().toISOString())}
              max={lastDay()}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={schedule.isPending}>
            Schedule
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
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
