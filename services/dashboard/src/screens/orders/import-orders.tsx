import { useBlocker } from "@tanstack/react-router";
import { type ChangeEvent, useState } from "react";
import { type Csv, readCsv, textOfFile } from "../../format/csv.ts";
import { number, shop } from "../../format/shop.ts";
import { keep, stored } from "../../session/storage.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { useLeaveGuard } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { Progress } from "../../ui/progress.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { EXAMPLE_CSV, type Mapping, mappingFor, withMapping } from "./import-columns.ts";
import { ImportMapping } from "./import-mapping.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { type ImportItem, ordersOf } from "./import-rows.ts";
import { RefusedOrders } from "./refused-orders.tsx";
import { type Import, useImport } from "./use-import.ts";

// Where the browser keeps the mappings of earlier files.
const MEMORY = "tradepost-import-columns";
const EXAMPLE = {
  customerId: "0198c5a2-0000-7000-8000-000000000004",
  channel: "import" as const,
  externalId: "old-17",
  items: [{ sku: "MUG-BLUE", name: "Mug, blue", quantity: 3, unitPrice: 19.99 }],
};

interface CsvFile {
  readonly csv: Csv;
  readonly mapping: Mapping;
  /** The currency of orders without one; undefined before the first check. */
  readonly currency?: string;
  readonly items?: readonly ImportItem[] | undefined;
}

export default function ImportOrders() {
  const [file, setFile] = useState<CsvFile | null>(null);
  const run = useImport({ isTrial: false });
  const isRunning = run.state?.status === "running" || run.state?.status === "waiting";
  useBlocker({
    shouldBlockFn: () => !confirm("The import is not over. Stop it and leave?"),
    enableBeforeUnload: true,
    disabled: !isRunning,
  });
  // Otherwise the file and its mapping would be lost.
  const guard = useLeaveGuard(file !== null && run.state === null);
  const restart = () => {
    run.reset();
    setFile(null);
  };
  const mapped = ({ csv }: CsvFile, mapping: Mapping, currency: string) => {
    keep(MEMORY, withMapping(stored(MEMORY) ?? null, csv.columns, mapping));
    setFile({ csv, mapping, currency, items: ordersOf(csv, mapping, currency) });
  };
  return (
    <Screen title="Import orders">
      {guard.dialog}
      {file === null ? (
        <ChooseFile onRead={setFile} />
      ) : run.state !== null ? (
        <ImportProgress
          state={run.state}
          columns={file.csv.columns}
          onStop={run.stop}
          onGoOn={run.goOn}
          onOther={restart}
        />
      ) : file.items === undefined ? (
        <ImportMapping
          csv={file.csv}
          initial={file.mapping}
          currency={file.currency ?? shop().currency}
          onDone={(mapping, currency) => mapped(file, mapping, currency)}
          onOther={restart}
        />
      ) : (
        <ImportPreview
          items={file.items}
          columns={file.csv.columns}
          onPlace={run.start}
          onBack={() => setFile({ ...file, items: undefined })}
        />
      )}
      <BehindTheScreen operation="importOrders" input={{ body: { orders: [EXAMPLE] } }} />
    </Screen>
  );
}

function ChooseFile({ onRead }: { readonly onRead: (file: CsvFile) => void }) {
  const [fault, setFault] = useState<string>();
  const choose = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    const text = await file.arrayBuffer().then(textOfFile, () => null);
    // The same file can be chosen again once it is corrected.
    input.value = "";
    const read = text === null ? "The browser cannot read the file." : fileOf(text);
    if (typeof read === "string") setFault(read);
    else onRead(read);
  };
  return (
    <>
      <TextField
        label="File with orders"
        hint="Choose a CSV file with a line of names, or drop it here. Nothing is placed before you have seen what the file has."
        error={fault}
        className="input drop-zone"
        type="file"
        accept=".csv,.tsv,.txt"
        onChange={choose}
      />
      <p>
        Give each order the id that it has where it comes from: a column like <code>externalId</code>. Then
        you can import the same file again, and no order is placed twice. Columns may have other names: you
        are asked what they contain. This file has one order with two items:
      </p>
      <CodeBlock text={EXAMPLE_CSV} what="the CSV example" />
    </>
  );
}

/** The file with its mapping, as far as that is known, or its fault. */
function fileOf(text: string): CsvFile | string {
  const csv = readCsv(text);
  if (csv === null) return "The file is not CSV with a line of names.";
  if (csv.fault !== undefined) return csv.fault;
  if (csv.rows.length === 0) return "The file has a line of names, and no orders.";
  return { csv, mapping: mappingFor(csv.columns, stored(MEMORY) ?? null) };
}

interface ImportProgressProps {
  readonly state: Import;
  readonly columns: readonly string[];
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

function ImportProgress({ state, columns, onStop, onGoOn, onOther }: ImportProgressProps) {
  const { total, done, refused, accepted, status, error } = state;
  const isRunning = status === "running" || status === "waiting";
  return (
    <>
      <Progress label="Orders" done={done} total={total} />
      <p role="status">
        {STATUSES[status]} {number(accepted.length)} placed, {number(refused.length)} refused.
      </p>
      {error && <ErrorNote failure={error} details={error.details} />}
      <div className="row">
        {status !== "over" && (
          // The same button for both actions, so that it keeps the focus.
          <Button
            text={isRunning ? "Stop" : "Go on"}
            look={isRunning ? "plain" : "primary"}
            onClick={isRunning ? onStop : onGoOn}
          />
        )}
        {!isRunning && <Button text="Import another file" onClick={onOther} />}
        {!isRunning && <TextLink to="/orders" search={{ channel: "import" }} text="Orders from imports" />}
      </div>
      {refused.length > 0 && <RefusedOrders refused={refused} columns={columns} />}
    </>
  );
}
