import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf, QueryOf } from "@tradepost/client/operations";
import { type ComponentProps, useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { type Customers, useCustomerNames } from "../../data/use-names.ts";
import { type Selection, useSelection } from "../../data/use-selection.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { EmptyState, ListView } from "../../ui/list.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { SelectAll, tickColumn } from "../../ui/select-all.tsx";
import { OrderTable } from "../order-list/door.tsx";
import { BULK_ACTIONS, type BulkAction, BulkDialog } from "./bulk-dialog.tsx";
import { OrderFilters, OrderTabs } from "./order-filters.tsx";
import { usePrinter } from "./printed-orders.tsx";
import { SavedViews } from "./saved-views.tsx";
import { type OrdersSearch, ordersSearch, queryOf } from "./search.ts";

export default function Orders() {
  const search = useSearch({ from: "/app/orders" });
  const navigate = useNavigate({ from: "/orders" });
  const isEditor = useIsAllowed({ role: "editor" });
  const { tab, ...filters } = search;
  const query = queryOf(search);
  return (
    <Screen
      title="Orders"
      action={
        <div className="row">
          <ExportButton operation="exportOrders" query={query} name="orders" />
          {isEditor && (
            <>
              <TextLink className="button button-plain" to="/orders/import" text="Import" />
              <Link className="button button-primary" to="/orders/new">
                <Icon name="plus" /> Place an order
              </Link>
            </>
          )}
        </div>
      }
    >
      <OrderTabs search={search} />
      <OrderFilters
        search={search}
        onChange={(values) => navigate({ search: ordersSearch({ tab, ...values }) })}
      />
      <SavedViews search={search} isSavable={Object.keys(filters).length > 0} />
      <List key={JSON.stringify(query)} query={query} search={search} />
    </Screen>
  );
}

function List({ query, search }: { readonly query: QueryOf<"listOrders">; readonly search: OrdersSearch }) {
  // The dialog is not inside the list, which may be empty after the action.
  const [bulk, setBulk] = useState<Pick<ComponentProps<typeof BulkDialog>, "action" | "orders"> | null>(null);
  // Imported orders are among the orders of the days on which they were placed.
  const newest = { ...query, sort: "placedAt", count: true } as const;
  const list = useLiveList("listOrders", newest);
  const selection = useSelection(list);
  const customers = useCustomerNames((list.items ?? []).map((order) => order.customerId));
  return (
    <>
      <ListView
        list={list}
        nouns={{ one: "order", many: "orders" }}
        empty={<NoOrders tab={search.tab} isFiltered={Object.keys(search).length > 0} />}
      >
        {(orders) => (
          <OrderTable
            orders={orders}
            ticks={tickColumn(
              selection,
              <SelectedOrders
                selection={selection}
                customers={customers}
                onAction={(action, selected) => setBulk({ action, orders: selected })}
              />,
              ({ orderNumber }) => `Select order ${orderNumber}`,
            )}
            customerOf={(id) => (
              <span className="cut" title={customers.get(id)?.name}>
                <Link to="/customers/$customerId" params={{ customerId: id }}>
                  <bdi>{customers.get(id)?.name ?? "…"}</bdi>
                </Link>
              </span>
            )}
          />
        )}
      </ListView>
      {bulk && <BulkDialog {...bulk} customers={customers} onClose={() => setBulk(null)} />}
      <BehindTheScreen operation="listOrders" input={{ query: newest }} />
    </>
  );
}

function NoOrders({ tab, isFiltered }: { readonly tab: OrdersSearch["tab"]; readonly isFiltered: boolean }) {
  const isEditor = useIsAllowed({ role: "editor" });
  if (isFiltered)
    return (
      <EmptyState title="No order matches">
        <p>Change the filters, or look at all orders.</p>
        {tab === "ship" && <p>Free orders are under “Not shipped”, because nobody pays for them.</p>}
        <Link to="/orders">Show all orders</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No order was placed yet">
      <p>
        Orders of your shop appear here as soon as its programs send them.
        {isEditor && " You can also place one for a customer yourself."}
      </p>
      {isEditor && <Link to="/orders/new">Place the first order</Link>}
    </EmptyState>
  );
}

type Order = ItemOf<"listOrders">;

interface SelectedOrdersProps {
  readonly selection: Selection<Order>;
  readonly customers: Customers;
  readonly onAction: (action: BulkAction, selected: readonly Order[]) => void;
}

// The most ids that a request takes.
const EXPORTED_MAX = 100;

function SelectedOrders({ selection, customers, onAction }: SelectedOrdersProps) {
  const { printOrders, paper } = usePrinter();
  const selected = selection.ticked;
  const isEditor = useIsAllowed({ role: "editor" });
  const possible = (Object.keys(BULK_ACTIONS) as BulkAction[]).filter(
    (name) => isEditor && selected.some(({ allowedActions }) => allowedActions.includes(name)),
  );
  return (
    <>
      <SelectAll label="Selected orders" selection={selection}>
        {possible.map((name) => (
          <Button text={BULK_ACTIONS[name]} key={name} onClick={() => onAction(name, selected)} />
        ))}
        <Button text="Print packing slips" onClick={() => printOrders("slip", selected, customers)} />
        {selected.length <= EXPORTED_MAX && (
          <ExportButton
            operation="exportOrders"
            query={{ ids: selected.map(({ id }) => id) }}
            name="orders"
          />
        )}
        <Menu label="More actions for the selected orders">
          <MenuItem text="Print receipts" onClick={() => printOrders("receipt", selected, customers)} />
        </Menu>
      </SelectAll>
      {paper}
    </>
  );
}
