// Sends the ticked deliveries again, after a question, and shows the result of each.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { sentence } from "../../api/field-errors.ts";
import type { BulkResult } from "../../data/bulk-run.ts";
import { type Bulk, useBulk } from "../../data/use-bulk.ts";
import type { Receivers } from "../../data/use-receivers.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { request } from "../../session/request.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Progress } from "../../ui/progress.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import type { ListedDelivery } from "./delivery-table.tsx";
import { ReceiverName } from "./delivery-table.tsx";

interface ChosenBarProps {
  readonly deliveries: readonly ListedDelivery[];
  readonly chosen: ReadonlySet<string>;
  readonly receivers: Receivers;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

const NONE: ReadonlySet<string> = new Set();

export function ChosenBar({ deliveries, chosen, receivers, onChange }: ChosenBarProps) {
  const [sent, setSent] = useState<readonly ListedDelivery[] | null>(null);
  const shown = deliveries.filter(({ id }) => chosen.has(id));
  return (
    <>
      <SelectAll
        label="Selected deliveries"
        shown={deliveries.length}
        ticked={shown.length}
        onChange={(isTicked) => onChange(isTicked ? new Set(deliveries.map(({ id }) => id)) : NONE)}
      >
        <Button onClick={() => setSent(shown)}>
          Redeliver {shown.length === 1 ? "1 delivery" : `${shown.length} deliveries`}
        </Button>
      </SelectAll>
      {sent !== null && (
        <RedeliverManyDialog
          deliveries={sent}
          receivers={receivers}
          onClose={(isDone) => {
            setSent(null);
            if (isDone) onChange(NONE);
          }}
        />
      )}
    </>
  );
}

interface RedeliverManyDialogProps {
  readonly deliveries: readonly ListedDelivery[];
  readonly receivers: Receivers;
  readonly onClose: (isDone: boolean) => void;
}

const STALE = ["listDeliveries", "getDelivery", "getWebhookEvent", "listWebhookEvents"] as const;

function RedeliverManyDialog({ deliveries, receivers, onClose }: RedeliverManyDialogProps) {
  const { state, run, stop } = useBulk(deliveries, STALE);
  const start = () => run(({ id }, options) => request("redeliver", { path: { id } }, options));
  const hasStarted = state !== null;
  const isRunning = state?.isRunning ?? false;
  const what = deliveries.length === 1 ? "1 delivery" : `${deliveries.length} deliveries`;
  return (
    <Dialog
      title={hasStarted ? `Redelivering ${what}` : `Redeliver ${what}?`}
      isDismissable={!isRunning}
      onClose={() => onClose(hasStarted)}
      isWide
    >
      {hasStarted ? (
        <>
          <Progress label="Requested" done={state.results.size} total={deliveries.length} />
          <p role="status" className="hidden">
            {!isRunning && `Finished: ${state.results.size} of ${deliveries.length}.`}
          </p>
          <Results deliveries={deliveries} state={state} receivers={receivers} />
        </>
      ) : (
        <p>
          Each is sent once more, with the same delivery id and a new set of attempts. What a receiver has
          handled already, it should recognise by the id.
        </p>
      )}
      <DialogActions>
        {isRunning ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <Button onClick={() => onClose(hasStarted)}>{hasStarted ? "Close" : "Cancel"}</Button>
        )}
        {!hasStarted && (
          <Button look="primary" onClick={start}>
            Redeliver {what}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

interface ResultsProps {
  readonly deliveries: readonly ListedDelivery[];
  readonly state: Bulk;
  readonly receivers: Receivers;
}

function Results({ deliveries, state: { results, isRunning }, receivers }: ResultsProps) {
  const columns: Column<ListedDelivery>[] = [
    {
      name: "Delivery",
      isHeading: true,
      cell: ({ id, type, createdAt }) => (
        <div className="lines">
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} target="_blank">
            {EVENT_TYPES[type]}
          </Link>
          <span className="soft">
            <Time at={createdAt} />
          </span>
        </div>
      ),
    },
    {
      name: "Subscription",
      cell: ({ subscriptionId }) => <ReceiverName id={subscriptionId} receivers={receivers} />,
    },
    { name: "Result", cell: ({ id }) => <ResultText result={results.get(id)} isRunning={isRunning} /> },
  ];
  return <Table caption="Results" columns={columns} rows={deliveries} />;
}

interface ResultTextProps {
  readonly result: BulkResult | undefined;
  readonly isRunning: boolean;
}

function ResultText({ result, isRunning }: ResultTextProps) {
  if (result === undefined)
    return isRunning ? <Badge tone="quiet">Waiting</Badge> : <Badge tone="warning">Not sent</Badge>;
  if (result === null) return <Badge tone="good">Queued</Badge>;
  return (
    <div className="lines">
      <Badge tone="danger">Refused</Badge>
      <span>{sentence(result.message)}</span>
    </div>
  );
}
