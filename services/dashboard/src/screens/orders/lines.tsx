// The lines of an order.
import type { DataOf } from "@tradepost/client/operations";
import { Amount } from "../../ui/amount.tsx";
import { type Column, Table } from "../../ui/table.tsx";

type Order = DataOf<"getOrder">;
type Line = Order["items"][number];

export function Lines({ order: { items, currency } }: { readonly order: Order }) {
  const columns: Column<Line>[] = [
    { name: "Item", isHeading: true, cell: (line) => <Name line={line} /> },
    { name: "Quantity", isNumber: true, cell: ({ quantity }) => quantity.toLocaleString("en") },
    {
      name: "Unit price",
      isNumber: true,
      cell: ({ unitPrice }) => <Amount amount={unitPrice} currency={currency} />,
    },
    {
      name: "Tax",
      isNumber: true,
      cell: ({ taxAmount }) => <Amount amount={taxAmount} currency={currency} />,
    },
    {
      name: "Amount",
      isNumber: true,
      cell: ({ subtotal }) => <Amount amount={subtotal} currency={currency} />,
    },
  ];
  return <Table caption="Items" columns={columns} rows={items} />;
}

function Name({ line: { sku, name, description } }: { readonly line: Line }) {
  return (
    <div className="lines">
      <bdi>{name}</bdi>
      <code className="soft">{sku}</code>
      {description !== undefined && (
        <span className="soft">
          <bdi>{description}</bdi>
        </span>
      )}
    </div>
  );
}
