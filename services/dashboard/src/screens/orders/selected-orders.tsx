// What can be done with the ticked orders of the list.
import type { DataOf, ItemOf } from "@tradepost/client/operations";
import { holderOf, useMe } from "../../data/me.ts";
import { isAllowed } from "../../session/roles.ts";
import { Button } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { usePrinter } from "../../ui/paper.tsx";
import { SelectAll } from "../../ui/select-all.tsx";
import { BULK_ACTIONS, type BulkAction } from "./bulk-dialog.tsx";
import { type PaperKind, PrintedOrders } from "./printed-orders.tsx";

type Order = ItemOf<"listOrders">;

interface SelectedOrdersProps {
  /** All orders that are shown. */
  readonly orders: readonly Order[];
  readonly ids: ReadonlySet<string>;
  readonly customers: ReadonlyMap<string, DataOf<"getCustomer">>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly onAction: (action: BulkAction, selected: readonly Order[]) => void;
}

// The most ids that a request takes.
const EXPORTED_MAX = 100;

export function SelectedOrders({ orders, ids, customers, onSelect, onAction }: SelectedOrdersProps) {
  const me = useMe();
  const { print, paper } = usePrinter();
  const selected = orders.filter(({ id }) => ids.has(id));
  const isEditor = isAllowed(holderOf(me), { role: "editor" });
  const printAs = (kind: PaperKind) =>
    print(
      <PrintedOrders
        kind={kind}
        shop={me.tenant.name}
        orders={selected.map((order) => ({ order, customer: customers.get(order.customerId) }))}
      />,
    );
  return (
    <>
      <SelectAll
        label="Selected orders"
        shown={orders.length}
        ticked={selected.length}
        onChange={(isTicked) => onSelect(new Set(isTicked ? orders.map(({ id }) => id) : []))}
      >
        {isEditor &&
          (Object.keys(BULK_ACTIONS) as BulkAction[]).map((name) => (
            <Button key={name} onClick={() => onAction(name, selected)}>
              {BULK_ACTIONS[name]}
            </Button>
          ))}
        {selected.length <= EXPORTED_MAX && (
          <ExportButton
            operation="exportOrders"
            query={{ ids: selected.map(({ id }) => id) }}
            name="orders"
          />
        )}
        <Menu label="More actions for the selected orders">
          <MenuItem onClick={() => printAs("slip")}>Print packing slips</MenuItem>
          <MenuItem onClick={() => printAs("receipt")}>Print receipts</MenuItem>
        </Menu>
      </SelectAll>
      {paper}
    </>
  );
}
