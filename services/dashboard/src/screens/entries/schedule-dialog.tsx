// Chooses when the draft goes live, in the browser's time zone, and shows the same time in UTC.

import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { fieldOf, instantOf } from "../../format/local-time.ts";
import { absoluteTime } from "../../format/time.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { say } from "../../ui/toasts.tsx";
import { type Entry, STALE } from "./status.ts";

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
        ifMatch: etag,
      },
      {
        onError: (failure) => {
          if (failure.details.some(({ path }) => path.startsWith("data"))) onIncomplete(failure);
        },
      },
    );
  return (
    <FormDialog
      title="Schedule the draft"
      action="Schedule"
      change={schedule}
      details={rest}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
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
