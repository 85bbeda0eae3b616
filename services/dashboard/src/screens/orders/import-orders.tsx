// Imports the orders of a file.
import { useBlocker } from "@tanstack/react-router";
import { type ChangeEvent, useState } from "react";
import { holderOf, useMe } from "../../data/me.ts";
import { missing } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Field } from "../../ui/field.tsx";
import { Refused } from "../../ui/refused.tsx";
import { Screen } from "../../ui/screen.tsx";
import { readOrders } from "./import-file.ts";
import { ImportProgress } from "./import-progress.tsx";
import { useImport } from "./use-import.ts";

const TITLE = "Import orders";
const EXAMPLE = {
  customerId: "0198c5a2-0000-7000-8000-000000000004",
  channel: "import",
  externalId: "old-17",
  items: [{ sku: "MUG-BLUE", name: "Mug, blue", quantity: 3, unitPrice: 19.99, taxAmount: 6 }],
} as const;

export function ImportOrders() {
  const reason = missing(holderOf(useMe()), { role: "editor" });
  return reason === undefined ? <Allowed /> : <Refused title={TITLE} reason={reason} />;
}

function Allowed() {
  const run = useImport();
  const isRunning = run.state?.status === "running" || run.state?.status === "waiting";
  useBlocker({
    shouldBlockFn: () => !confirm("The import is not over. Stop it and leave?"),
    enableBeforeUnload: true,
    disabled: !isRunning,
  });
  return (
    <Screen title={TITLE}>
      {run.state === null ? (
        <ChooseFile onRead={run.start} />
      ) : (
        <ImportProgress state={run.state} onStop={run.stop} onGoOn={run.goOn} onOther={run.reset} />
      )}
      <BehindTheScreen
        operation="importOrders"
        input={{ body: { orders: [{ ...EXAMPLE, items: [...EXAMPLE.items] }] } }}
      />
    </Screen>
  );
}

function ChooseFile({ onRead }: { readonly onRead: (orders: readonly unknown[]) => void }) {
  const [fault, setFault] = useState<string>();
  const read = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    const text = await file.text().catch(() => null);
    // The same file can be chosen again once it is corrected.
    input.value = "";
    const result = text === null ? { fault: "The browser cannot read the file." } : readOrders(text);
    if ("fault" in result) setFault(result.fault);
    else onRead(result.orders);
  };
  return (
    <>
      <Field
        label="File with orders"
        hint="A JSON array, an object with a list “orders”, or one order in each line (JSON Lines). The import starts at once."
        error={fault}
      >
        {(control) => (
          <input {...control} className="input" type="file" accept=".json,.jsonl,.ndjson" onChange={read} />
        )}
      </Field>
      <p>
        Give each order the <code>externalId</code> that it has where it comes from. Then you can import the
        same file again, and no order is placed twice. An order looks like this:
      </p>
      <CodeBlock text={JSON.stringify(EXAMPLE, null, 2)} what="the example" />
    </>
  );
}
