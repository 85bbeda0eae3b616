// All orders of the shop, the newest first.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { holderOf, useMe } from "../../data/me.ts";
import { useCustomerNames } from "../../data/use-customer-names.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { isAllowed } from "../../session/roles.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { OrderTable } from "../../ui/order-table.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListView } from "../../ui/views.tsx";
import { CustomerOfFilter } from "./customer-of-filter.tsx";
import { OrderFilters } from "./order-filters.tsx";
import { type OrdersSearch, ordersSearch, queryOf } from "./search.ts";

const LIVE_MS = 5_000;

export function Orders() {
  const search = useSearch({ from: "/app/orders" });
  const navigate = useNavigate({ from: "/orders" });
  const isEditor = isAllowed(holderOf(useMe()), { role: "editor" });
  return (
    <Screen
      title="Orders"
      action={
        isEditor && (
          <div className="row">
            <Link className="button button-plain" to="/orders/import">
              Import
            </Link>
            <Link className="button button-primary" to="/orders/new">
              <PlusIcon /> Place an order
            </Link>
          </div>
        )
      }
    >
      <OrderFilters
        search={search}
        onChange={(values) => navigate({ search: ordersSearch({ ...values }) })}
      />
      <CustomerOfFilter text={search.customer}>
        {(customerId) => <List search={search} customerId={customerId} />}
      </CustomerOfFilter>
    </Screen>
  );
}

interface ListProps {
  readonly search: OrdersSearch;
  readonly customerId: string | undefined;
}

function List({ search, customerId }: ListProps) {
  const query = queryOf(search, customerId);
  const list = useLiveList("listOrders", query, { everyMs: LIVE_MS });
  const customers = useCustomerNames((list.items ?? []).map((order) => order.customerId));
  return (
    <>
      <ListView
        list={list}
        nouns={{ one: "order", many: "orders" }}
        empty={<NoOrders isFiltered={Object.keys(search).length > 0} />}
      >
        {(orders) => (
          <OrderTable
            orders={orders}
            customerOf={(id) => (
              <div className="lines">
                <Link to="/customers/$customerId" params={{ customerId: id }}>
                  <bdi>{customers.get(id)?.name ?? "…"}</bdi>
                </Link>
              </div>
            )}
          />
        )}
      </ListView>
      <BehindTheScreen operation="listOrders" input={{ query }} />
    </>
  );
}

function NoOrders({ isFiltered }: { readonly isFiltered: boolean }) {
  const isEditor = isAllowed(holderOf(useMe()), { role: "editor" });
  if (isFiltered)
    return (
      <EmptyState title="No order matches">
        <p>Change the filters, or look at all orders.</p>
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
