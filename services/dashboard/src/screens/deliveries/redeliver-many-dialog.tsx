// Asks before several deliveries are sent again, and shows the result of each.
import { Link } from "@tanstack/react-router";
import { sentence } from "../../api/field-errors.ts";
import type { Receivers } from "../../data/use-receivers.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Progress } from "../../ui/progress.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import type { ListedDelivery } from "./delivery-table.tsx";
import { ReceiverName } from "./receiver-name.tsx";
import { type Result, useRedeliveries } from "./use-redeliveries.ts";

interface RedeliverManyDialogProps {
  readonly deliveries: readonly ListedDelivery[];
  readonly receivers: Receivers;
  /** `isDone` if they were sent again. */
  readonly onClose: (isDone: boolean) => void;
}

export function RedeliverManyDialog({ deliveries, receivers, onClose }: RedeliverManyDialogProps) {
  const { results, isRunning, start, stop } = useRedeliveries(deliveries.map(({ id }) => id));
  const settled = [...results.values()].filter((result) => result !== "waiting").length;
  const hasStarted = results.size > 0;
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
          <Progress label="Requested" done={settled} total={results.size} />
          <p role="status" className="hidden">
            {!isRunning && `Finished: ${settled} of ${results.size}.`}
          </p>
          <Results deliveries={deliveries} results={results} receivers={receivers} />
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
  readonly results: ReadonlyMap<string, Result>;
  readonly receivers: Receivers;
}

function Results({ deliveries, results, receivers }: ResultsProps) {
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
    { name: "Result", cell: ({ id }) => <ResultText result={results.get(id)} /> },
  ];
  return <Table caption="Results" columns={columns} rows={deliveries} />;
}

function ResultText({ result }: { readonly result: Result | undefined }) {
  if (result === undefined || result === "waiting") return <Badge tone="quiet">Waiting</Badge>;
  if (result === "requested") return <Badge tone="good">Queued</Badge>;
  if (result === "stopped") return <Badge tone="warning">Not sent</Badge>;
  return (
    <div className="lines">
      <Badge tone="danger">Refused</Badge>
      <span>{sentence(result.message)}</span>
    </div>
  );
}
