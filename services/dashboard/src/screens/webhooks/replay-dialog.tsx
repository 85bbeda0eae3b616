// Starts a replay, which sends the events of a period again or for the first time. The events are counted first.
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useChange } from "../../data/operations.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { DAY_MS, fieldOf } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { CancelButton, Dialog, DialogActions, useClose } from "../../ui/dialog.tsx";
import { ChoiceField, TextField } from "../../ui/field.tsx";
import { explaining, Form } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { countedText, INCLUDES, type Include, type Selection, selectionIn } from "./replay-draft.ts";
import type { Subscription } from "./texts.ts";

interface ReplayDialogProps {
  readonly subscription: Subscription;
  readonly onStarted: (replay: string) => void;
}

const FIRST: Include = "failed";

export function ReplayDialog({ subscription: { id, name, active }, onStarted }: ReplayDialogProps) {
  const close = useClose();
  const [include, setInclude] = useState<Include>(FIRST);
  const [counted, setCounted] = useState<Selection | null>(null);
  const count = useChange("startReplay", { stale: [] });
  const start = useChange("startReplay", {
    stale: ["listReplays", "listDeliveries"],
    onDone: (replay) => {
      close();
      if ("id" in replay) onStarted(replay.id);
    },
  });
  const changed = ({ currentTarget }: FormEvent<HTMLElement>) => {
    const form = currentTarget.closest("form");
    if (form) setInclude(selectionIn(new FormData(form)).include);
    setCounted(null);
    count.reset();
    start.reset();
  };
  const submit = (form: FormData) => {
    const selection = selectionIn(form);
    start.reset();
    setCounted(selection);
    count.mutate({ path: { id }, body: { ...selection, dryRun: true } });
  };
  const error = start.error ?? count.error;
  const matched = error === null ? count.data?.data.matched : undefined;
  const isFound = matched !== undefined && matched > 0;
  return (
    <Dialog title={`Replay to “${name}”`}>
      <Form failure={error} explain={explain} onSubmit={submit}>
        <p>
          Each delivery keeps its id, so a receiver that keeps the ids it has seen processes none twice. What
          happens now goes first.
        </p>
        <div className="form" onChange={changed}>
          <SelectionFields include={include} />
        </div>
        {matched === 0 && <Nothing include={include} subscriptionId={id} />}
        {isFound && (
          <Note
            tone="info"
            title={countedText(matched)}
            isAlert
            text={
              active
                ? "The oldest goes first, at a pace that the receiver can follow."
                : "It waits until the subscription is resumed."
            }
          />
        )}
        <DialogActions>
          <CancelButton />
          {isFound && counted !== null ? (
            <Button
              text="Start the replay"
              look="primary"
              isBusy={start.isPending}
              onClick={() => start.mutate({ path: { id }, body: counted })}
            />
          ) : (
            <Button text="Count first" type="submit" look="primary" isBusy={count.isPending} />
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const explain = explaining(
  "replay_running",
  "Another replay is running",
  "There is one at a time. Wait until it is finished, or cancel it under “Replays”.",
);

interface NothingProps {
  readonly include: Include;
  readonly subscriptionId: string;
}

function Nothing({ include, subscriptionId }: NothingProps) {
  return (
    <Note tone="info" title="Nothing to replay" isAlert>
      <p>
        {INCLUDES[include].nothing}{" "}
        {include === "failed" && (
          <Link to="/deliveries" search={{ subscriptionId, status: "failed" }}>
            All failed deliveries
          </Link>
        )}
      </p>
    </Note>
  );
}

function SelectionFields({ include }: { readonly include: Include }) {
  const [initial] = useState(() => fieldOf(new Date(Date.now() - DAY_MS).toISOString()));
  return (
    <>
      <ChoiceField
        label="What is sent"
        type="radio"
        name="include"
        options={Object.entries(INCLUDES).map(([value, { text, hint }]) => ({
          value,
          text,
          hint,
          isChosen: value === FIRST,
        }))}
      />
      <div className="fields">
        <TextField
          label="Since"
          hint={`When it ${INCLUDES[include].time}, or later.`}
          name="since"
          type="datetime-local"
          required
          defaultValue={initial}
        />
        <TextField label="Until" hint="Empty: until now." name="until" type="datetime-local" />
      </div>
      <details>
        <summary>Only some events</summary>
        <ChoiceField
          label={<span className="hidden">Events</span>}
          hint="None chosen: all."
          type="checkbox"
          name="types"
          options={useEventTypes().options}
        />
      </details>
    </>
  );
}
