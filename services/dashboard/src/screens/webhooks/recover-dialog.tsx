// Sends the failed deliveries of a period once more. They are counted first.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { fieldErrors } from "../../api/field-errors.ts";
import { useChange } from "../../data/use-change.ts";
import { fieldOf, instantOf } from "../../format/local-time.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import type { Subscription } from "./state.ts";

interface RecoverDialogProps {
  readonly subscription: Subscription;
  readonly onClose: () => void;
  readonly onStarted: (recovery: string) => void;
}

const DAY_MS = 24 * 3_600_000;

interface Period {
  readonly since: string;
  readonly until?: string;
}

export function RecoverDialog({
  subscription: { id, name, active },
  onClose,
  onStarted,
}: RecoverDialogProps) {
  const [initial] = useState(() => fieldOf(new Date(Date.now() - DAY_MS).toISOString()));
  const [counted, setCounted] = useState<Period | null>(null);
  const count = useChange("recoverDeliveries", { stale: [] });
  const start = useChange("recoverDeliveries", {
    stale: ["listDeliveries"],
    onDone: (recovery) => recovery.id !== null && onStarted(recovery.id),
  });
  const forget = () => {
    setCounted(null);
    count.reset();
    start.reset();
  };
  const submit = (form: FormData) => {
    const period = periodIn(form);
    start.reset();
    setCounted(period);
    count.mutate({ path: { id }, body: { ...period, dryRun: true } });
  };
  const error = start.error ?? count.error;
  const errors = fieldErrors(error?.details ?? [], ["since", "until"]);
  const matched = error === null ? count.data?.data.matched : undefined;
  return (
    <Dialog title={`Recover failed deliveries of “${name}”`} onClose={onClose}>
      <Form failure={error} onSubmit={submit}>
        {error && <ErrorNote failure={error} details={errors.rest} />}
        <p>
          Once the receiver works again, send it what it missed. Each delivery keeps its id, so a receiver
          that keeps the ids it has seen processes none twice.
        </p>
        <div className="fields" onChange={forget}>
          <Field label="Failed since" error={errors.byField.since}>
            {(control) => (
              <input
                {...control}
                className="input"
                name="since"
                type="datetime-local"
                required
                defaultValue={initial}
              />
            )}
          </Field>
          <Field label="Failed before" hint="Empty: until now." error={errors.byField.until}>
            {(control) => <input {...control} className="input" name="until" type="datetime-local" />}
          </Field>
        </div>
        {matched === 0 && (
          <Note tone="info" title="Nothing to recover" isAlert>
            <p>
              No delivery failed for good in this time. One that is still retried is sent by itself.{" "}
              <Link to="/deliveries" search={{ subscriptionId: id, status: "failed" }}>
                All failed deliveries
              </Link>
            </p>
          </Note>
        )}
        {matched !== undefined && matched > 0 && (
          <Note
            tone="info"
            title={
              matched === 1 ? "1 delivery failed in this time" : `${matched} deliveries failed in this time`
            }
            isAlert
          >
            <p>
              {active
                ? "They are sent oldest first, at a pace."
                : "They wait until the subscription is resumed."}
            </p>
          </Note>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          {matched !== undefined && matched > 0 && counted !== null ? (
            <Button
              look="primary"
              isBusy={start.isPending}
              onClick={() => start.mutate({ path: { id }, body: counted })}
            >
              Send them again
            </Button>
          ) : (
            <Button type="submit" look="primary" isBusy={count.isPending}>
              Count them
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function periodIn(form: FormData): Period {
  const until = instantOf(String(form.get("until")));
  return { since: instantOf(String(form.get("since"))) ?? "", ...(until !== undefined && { until }) };
}
