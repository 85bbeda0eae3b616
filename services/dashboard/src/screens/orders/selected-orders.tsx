// What can be done with the ticked orders.
import type { DataOf, ItemOf } from "@tradepost/client/operations";
import { useIsAllowed } from "../../data/me.ts";
import type { Selection } from "../../data/use-selection.ts";
import { Button } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { usePrinter } from "../../ui/paper.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import { BULK_ACTIONS, type BulkAction } from "./bulk-dialog.tsx";
import { type PaperKind, PrintedOrders } from "./printed-orders.tsx";

type Order = ItemOf<"listOrders">;

interface SelectedOrdersProps {
  readonly selection: Selection<Order>;
  readonly customers: ReadonlyMap<string, DataOf<"getCustomer">>;
  readonly onAction: (action: BulkAction, selected: readonly Order[]) => void;
}

// The most ids that a request takes.
const EXPORTED_MAX = 100;

export function SelectedOrders({ selection, customers, onAction }: SelectedOrdersProps) {
  const { print, paper } = usePrinter();
  const selected = selection.ticked;
  const isEditor = useIsAllowed({ role: "editor" });
  const possible = (Object.keys(BULK_ACTIONS) as BulkAction[]).filter(
    (name) => isEditor && selected.some(({ allowedActions }) => allowedActions.includes(name)),
  );
  const printAs = (kind: PaperKind) =>
    print(
      <PrintedOrders
        kind={kind}
        orders={selected.map((order) => ({ order, customer: customers.get(order.customerId) }))}
      />,
    );
  return (
    <>
      <SelectAll label="Selected orders" selection={selection}>
        {possible.map((name) => (
          <Button key={name} onClick={() => onAction(name, selected)}>
            {BULK_ACTIONS[name]}
          </Button>
        ))}
        <Button onClick={() => printAs("slip")}>Print packing slips</Button>
        {selected.length <= EXPORTED_MAX && (
          <ExportButton
            operation="exportOrders"
            query={{ ids: selected.map(({ id }) => id) }}
            name="orders"
          />
        )}
        <Menu label="More actions for the selected orders">
          <MenuItem onClick={() => printAs("receipt")}>Print receipts</MenuItem>
        </Menu>
      </SelectAll>
      {paper}
    </>
  );
}
