// Dialogs of one action on several resources, each with a request and a result of its own: `ConfirmMany` asks first, and `RunDialog`
// leaves the question to its parent.
import type { OperationId } from "@tradepost/client/operations";
import { type ReactNode, useState } from "react";
import { explain, sentence } from "../api/failure.ts";
import type { BulkResult } from "../data/bulk-run.ts";
import { say } from "../data/messages.ts";
import { type Bulk, type Send, useBulk } from "../data/use-bulk.ts";
import { number } from "../format/shop.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { type Column, headingOf, Table } from "./list.tsx";
import { Progress } from "./progress.tsx";
import { Badge } from "./value.tsx";

interface Shown<Item extends { readonly id: string }> {
  readonly items: readonly Item[];
  readonly columns: readonly Column<Item>[];
  readonly doneText?: string;
}

interface ConfirmManyProps<Item extends { readonly id: string }> extends Shown<Item> {
  readonly action: string;
  readonly look?: "primary" | "danger";
  readonly stale: readonly OperationId[];
  readonly send: Send<Item>;
  /** The toast in place of the results if all requests succeeded. */
  readonly done?: string;
  readonly onClose: (doneCount: number) => void;
  readonly children: ReactNode;
}

// Up to this many items are done before anyone could read their results.
const QUICK_ITEMS_MAX = 5;
const NAMED_MAX = 5;

export function ConfirmMany<Item extends { readonly id: string }>(props: ConfirmManyProps<Item>) {
  const { action, look = "danger", stale, send, done, onClose, children, ...shown } = props;
  // The list below changes while the dialog is open.
  const [items] = useState(shown.items);
  const { state, run, stop } = useBulk(items, stale);
  const start = async () => {
    const isAllDone = await run(send, state?.results);
    if (!isAllDone || done === undefined) return;
    say(done);
    onClose(items.length);
  };
  const isBusy = state?.isRunning ?? false;
  if (state !== null && !(isBusy && done !== undefined && items.length <= QUICK_ITEMS_MAX))
    return (
      <RunDialog
        {...{ ...shown, title: action, items, state }}
        onStop={stop}
        onGoOn={start}
        onClose={() => onClose(doneIn(state))}
      />
    );
  return (
    <Dialog title={`${action}?`} isDismissable={!isBusy} onClose={() => onClose(0)}>
      <ul className="lines">
        {items.slice(0, NAMED_MAX).map((item) => (
          <li key={item.id}>{headingOf(shown.columns)?.cell(item)}</li>
        ))}
        {items.length > NAMED_MAX && <li>and {number(items.length - NAMED_MAX)} more</li>}
      </ul>
      {children}
      <DialogActions>
        <Button text="Cancel" onClick={() => (isBusy ? stop() : onClose(0))} />
        <Button text={action} look={look} isBusy={isBusy} onClick={start} />
      </DialogActions>
    </Dialog>
  );
}

interface RunDialogProps<Item extends { readonly id: string }> extends Shown<Item> {
  readonly title: string;
  readonly state: Bulk;
  readonly onStop: () => void;
  readonly onGoOn: () => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

export function RunDialog<Item extends { readonly id: string }>(props: RunDialogProps<Item>) {
  const { title, items, columns, doneText = "Done", state, onStop, onGoOn, onClose, children } = props;
  const { results, isRunning } = state;
  const done = doneIn(state);
  const isFailed = ({ id }: Item) => Boolean(results.get(id));
  const rows = isRunning ? items : items.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)));
  const result: Column<Item> = {
    name: "Result",
    cell: ({ id }) => <Result result={results.get(id)} {...{ isRunning, doneText }} />,
  };
  return (
    <Dialog title={title} onClose={onClose} isDismissable={!isRunning} isWide>
      <Progress label="Requested" done={results.size} total={items.length} />
      <p role="status">
        {isRunning ? "Working…" : results.size < items.length ? "Stopped." : "Finished."} {done} done,{" "}
        {results.size - done} failed.
      </p>
      <Table caption="Results" columns={[...columns, result]} rows={rows} />
      <DialogActions>
        {isRunning ? (
          <Button text="Stop" onClick={onStop} />
        ) : (
          <>
            {done < items.length && <Button text="Try the others again" onClick={onGoOn} />}
            {children}
            <Button text="Close" look="primary" onClick={onClose} />
          </>
        )}
      </DialogActions>
    </Dialog>
  );
}

interface ResultProps {
  readonly result: BulkResult | undefined;
  readonly isRunning: boolean;
  readonly doneText: string;
}

function Result({ result, isRunning, doneText }: ResultProps) {
  if (result === undefined) return <span className="soft">{isRunning ? "Waiting" : "Not done"}</span>;
  if (result === null) return <Badge tone="good">{doneText}</Badge>;
  return (
    <div className="lines">
      <Badge tone="danger">Failed</Badge>
      <span>{result.status === 0 ? explain(result).text : sentence(result.message)}</span>
    </div>
  );
}

export function doneIn({ results }: Bulk): number {
  return [...results.values()].filter((result) => result === null).length;
}
