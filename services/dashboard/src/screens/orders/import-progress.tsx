// The progress of an import, and the refused orders.
import { Link } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Progress } from "../../ui/progress.tsx";
import { RefusedOrders } from "./refused-orders.tsx";
import type { Import } from "./use-import.ts";

interface ImportProgressProps {
  readonly state: Import;
  readonly columns: readonly string[] | undefined;
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

export function ImportProgress({ state, columns, onStop, onGoOn, onOther }: ImportProgressProps) {
  const { total, done, refused, accepted, status, error } = state;
  const isRunning = status === "running" || status === "waiting";
  return (
    <>
      <Progress label="Orders" done={done} total={total} />
      <p role="status">
        {STATUSES[status]} {accepted.length.toLocaleString("en")} placed,{" "}
        {refused.length.toLocaleString("en")} refused.
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
      {refused.length > 0 && <RefusedOrders refused={refused} columns={columns} />}
    </>
  );
}
