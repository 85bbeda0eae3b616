// The progress of an import, and the refused orders.
import { Link } from "@tanstack/react-router";
import { sentence } from "../../api/field-errors.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Note } from "../../ui/note.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { FailedOrder, Import } from "./use-import.ts";

interface ImportProgressProps {
  readonly state: Import;
  readonly onStop: () => void;
  readonly onGoOn: () => void;
  readonly onOther: () => void;
}

const STATUSES = {
  running: "The orders are being placed.",
  waiting: "Tradepost cannot be reached. The import goes on by itself.",
  stopped: "The import is stopped. It can go on where it was.",
  over: "The import is over.",
} as const;

export function ImportProgress({ state, onStop, onGoOn, onOther }: ImportProgressProps) {
  const { total, done, failed, status, error } = state;
  const isRunning = status === "running" || status === "waiting";
  return (
    <>
      <Progress label="Orders" done={done} total={total} />
      <p role="status">
        {STATUSES[status]} {count(done - failed.length)} placed, {count(failed.length)} refused.
      </p>
      {error && <ErrorNote failure={error} details={error.details} />}
      <div className="row">
        {status !== "over" && (
          // The same button for both actions, so that it keeps the focus.
          <Button look={isRunning ? "plain" : "primary"} onClick={isRunning ? onStop : onGoOn}>
            {isRunning ? "Stop" : "Go on"}
          </Button>
        )}
        {!isRunning && <Button onClick={onOther}>Import another file</Button>}
        {!isRunning && (
          <Link to="/orders" search={{ channel: "import" }}>
            Orders from imports
          </Link>
        )}
      </div>
      {failed.length > 0 && <Failed failed={failed} />}
    </>
  );
}

// Nobody would read more on a screen; the download has them all.
const SHOWN_MAX = 100;

const COLUMNS: readonly Column<FailedOrder & { id: string }>[] = [
  { name: "Order", isHeading: true, cell: ({ index }) => `No. ${count(index + 1)}` },
  { name: "Fault", cell: ({ error }) => <Fault error={error} /> },
];

function Failed({ failed }: { readonly failed: readonly FailedOrder[] }) {
  const rows = failed.slice(0, SHOWN_MAX).map((one) => ({ ...one, id: String(one.index) }));
  return (
    <Section
      title="Refused orders"
      intro="Download them, correct them, and import the file."
      action={<Button onClick={() => download(failed)}>Download the refused orders</Button>}
    >
      {failed.length > SHOWN_MAX && (
        <Note tone="info">
          <p>
            The first {SHOWN_MAX} of {count(failed.length)} are shown.
          </p>
        </Note>
      )}
      <Table caption="Refused orders" columns={COLUMNS} rows={rows} />
    </Section>
  );
}

function Fault({ error: { message, details = [], orderId } }: Pick<FailedOrder, "error">) {
  return (
    <div className="lines">
      {details.length === 0 && sentence(message)}
      {details.map((detail) => (
        <span key={`${detail.path} ${detail.message}`}>
          <code>{detail.path}</code>: {sentence(detail.message)}
        </span>
      ))}
      {orderId !== undefined && (
        <Link to="/orders/$orderId" params={{ orderId }} target="_blank">
          Open the order that exists
        </Link>
      )}
    </div>
  );
}

function download(failed: readonly FailedOrder[]): void {
  const text = JSON.stringify(
    failed.map(({ order }) => order),
    null,
    2,
  );
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "refused-orders.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

function count(value: number): string {
  return value.toLocaleString("en");
}
