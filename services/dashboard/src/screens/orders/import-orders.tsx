import { Link, useBlocker } from "@tanstack/react-router";
import { type ChangeEvent, useState } from "react";
import { holderOf, useMe } from "../../data/me.ts";
import { type Csv, readCsv, textOfFile } from "../../format/csv.ts";
import { number, shop } from "../../format/shop.ts";
import { missing } from "../../session/roles.ts";
import { keep, stored } from "../../session/storage.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { saveFile } from "../../ui/export-button.tsx";
import { Field } from "../../ui/field.tsx";
import { useLeaveGuard } from "../../ui/leave-guard.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Refused, Screen } from "../../ui/screen.tsx";
import { EXAMPLE_CSV, type Mapping, mappingFor, withMapping } from "./import-columns.ts";
import { itemsOf, readOrders } from "./import-file.ts";
import { ImportMapping } from "./import-mapping.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { type CsvItem, ordersOf } from "./import-rows.ts";
import { RefusedOrders } from "./refused-orders.tsx";
import { type Import, useImport } from "./use-import.ts";

const TITLE = "Import orders";
// Where the browser keeps what the columns of earlier files are.
const MEMORY = "tradepost-import-columns";
const EXAMPLE = {
  customerId: "0198c5a2-0000-7000-8000-000000000004",
  channel: "import",
  externalId: "old-17",
  items: [{ sku: "MUG-BLUE", name: "Mug, blue", quantity: 3, unitPrice: 19.99, taxAmount: 6 }],
} as const;

export default function ImportOrders() {
  const reason = missing(holderOf(useMe()), { role: "editor" });
  return reason === undefined ? <Allowed /> : <Refused title={TITLE} reason={reason} />;
}

interface CsvFile {
  readonly csv: Csv;
  readonly mapping: Mapping;
  /** The currency of orders without one; undefined before the first check. */
  readonly currency?: string;
}

type Step =
  | { readonly name: "choose" }
  | ({ readonly name: "columns" } & CsvFile)
  | {
      readonly name: "preview";
      readonly items: readonly CsvItem[];
      /** Undefined for a file that is not CSV. */
      readonly from?: CsvFile;
    };

function Allowed() {
  const [step, setStep] = useState<Step>({ name: "choose" });
  const run = useImport({ isTrial: false });
  const isRunning = run.state?.status === "running" || run.state?.status === "waiting";
  useBlocker({
    shouldBlockFn: () => !confirm("The import is not over. Stop it and leave?"),
    enableBeforeUnload: true,
    disabled: !isRunning,
  });
  // Otherwise the file and what its columns are would be lost.
  const guard = useLeaveGuard(step.name !== "choose" && run.state === null);
  const columns = step.name === "preview" ? step.from?.csv.columns : undefined;
  const restart = () => {
    run.reset();
    setStep({ name: "choose" });
  };
  return (
    <Screen title={TITLE}>
      {guard.dialog}
      {run.state !== null ? (
        <ImportProgress
          state={run.state}
          columns={columns}
          onStop={run.stop}
          onGoOn={run.goOn}
          onOther={restart}
        />
      ) : step.name === "choose" ? (
        <ChooseFile onRead={setStep} />
      ) : step.name === "columns" ? (
        <ImportMapping
          csv={step.csv}
          initial={step.mapping}
          currency={step.currency ?? shop().currency}
          onDone={(mapping, currency) => {
            keep(MEMORY, withMapping(stored(MEMORY) ?? null, step.csv.columns, mapping));
            setStep({
              name: "preview",
              items: ordersOf(step.csv, mapping, { currency }),
              from: { csv: step.csv, mapping, currency },
            });
          }}
          onOther={restart}
        />
      ) : (
        <ImportPreview
          items={step.items}
          columns={columns}
          onPlace={run.start}
          onBack={() => setStep(step.from ? { name: "columns", ...step.from } : { name: "choose" })}
        />
      )}
      <BehindTheScreen
        operation="importOrders"
        input={{ body: { orders: [{ ...EXAMPLE, items: [...EXAMPLE.items] }] } }}
      />
    </Screen>
  );
}

function ChooseFile({ onRead }: { readonly onRead: (step: Step) => void }) {
  const [fault, setFault] = useState<string>();
  const read = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    const text = await file.arrayBuffer().then(textOfFile, () => null);
    // The same file can be chosen again once it is corrected.
    input.value = "";
    const step = text === null ? { fault: "The browser cannot read the file." } : stepOf(text);
    if ("fault" in step) setFault(step.fault);
    else onRead(step);
  };
  return (
    <>
      <Field
        label="File with orders"
        hint="Choose a file, or drop it here: CSV with a line of names, or JSON: a list of orders, or one order in each line. Nothing is placed before you have seen what the file has."
        error={fault}
      >
        {(control) => (
          <input
            {...control}
            className="input drop-zone"
            type="file"
            accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
            onChange={read}
          />
        )}
      </Field>
      <p>
        Give each order the id that it has where it comes from: in CSV a column like <code>externalId</code>.
        Then you can import the same file again, and no order is placed twice. Columns may have other names:
        you are asked what they contain. This file has one order with two items:
      </p>
      <CodeBlock text={EXAMPLE_CSV} what="the CSV example" />
      <div className="row">
        <Button onClick={() => saveFile(new Blob([EXAMPLE_CSV], { type: "text/csv" }), "orders-example.csv")}>
          Download the example
        </Button>
      </div>
      <details>
        <summary>An order in JSON</summary>
        <CodeBlock text={JSON.stringify(EXAMPLE, null, 2)} what="the JSON example" />
      </details>
    </>
  );
}

function stepOf(text: string): Step | { readonly fault: string } {
  const isJson = /^\s*[[{]/.test(text);
  const csv = isJson ? null : readCsv(text);
  if (csv?.fault !== undefined) return { fault: csv.fault };
  if (csv?.rows.length === 0) return { fault: "The file has a line of names, and no orders." };
  if (csv !== null) return { name: "columns", csv, mapping: mappingFor(csv.columns, stored(MEMORY) ?? null) };
  const result = readOrders(text);
  if ("fault" in result) return result;
  return {
    name: "preview",
    items: itemsOf(result.orders).map((item) => ({ ...item, customer: undefined, said: new Map() })),
  };
}

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
