// The refused orders of an import, by the ids that they have in the file, to download, correct and import again.
import { Link } from "@tanstack/react-router";
import { sentence } from "../../api/failure.ts";
import { writeCsv } from "../../format/csv.ts";
import { number } from "../../format/shop.ts";
import { Button } from "../../ui/button.tsx";
import { saveFile } from "../../ui/export-button.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { placeOf } from "./import-columns.ts";
import type { RefusedOrder } from "./use-import.ts";

// Nobody would read more on a screen; the download has them all.
const SHOWN_MAX = 100;

const COLUMNS: readonly Column<RefusedOrder & { id: string }>[] = [
  { name: "Order", cell: ({ item }) => <bdi className="lines">{item.name}</bdi> },
  { name: "Fault", cell: (refused) => <Fault refused={refused} /> },
];

interface RefusedOrdersProps {
  readonly refused: readonly RefusedOrder[];
  readonly columns: readonly string[];
}

export function RefusedOrders({ refused, columns }: RefusedOrdersProps) {
  const rows = refused.slice(0, SHOWN_MAX).map((one, index) => ({ ...one, id: String(index) }));
  return (
    <Section
      title="Refused orders"
      intro="Download them, correct them, and import the file."
      action={<Button text="Download the refused orders" onClick={() => download(refused, columns)} />}
    >
      {refused.length > SHOWN_MAX && (
        <Note tone="info">
          <p>
            The first {SHOWN_MAX} of {number(refused.length)} are shown.
          </p>
        </Note>
      )}
      <Table caption="Refused orders" columns={COLUMNS} rows={rows} />
    </Section>
  );
}

function Fault({ refused: { item, error } }: { readonly refused: RefusedOrder }) {
  const { message, details = [], orderId } = error;
  return (
    <div className="lines">
      {details.length === 0 && sentence(message)}
      {details.map((detail) => (
        <span key={`${detail.path} ${detail.message}`}>
          {placeOf(detail.path, item.rows.length)}: {sentence(detail.message)}
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

function download(refused: readonly RefusedOrder[], columns: readonly string[]): void {
  const rows = refused.flatMap(({ item, error }) =>
    item.rows.map((cells, _, { length }) => [...cells, textOf(error, length)]),
  );
  const text = writeCsv([[...columns, "refused because"], ...rows]);
  // The mark tells a spreadsheet that it is UTF-8.
  saveFile(new Blob(["\ufeff", text], { type: "text/csv" }), "refused-orders.csv");
}

function textOf({ message, details = [] }: RefusedOrder["error"], rowCount: number): string {
  if (details.length === 0) return message;
  return details.map(({ path, message }) => `${placeOf(path, rowCount)}: ${sentence(message)}`).join(" ");
}
