// The log of the deliveries to all subscriptions and listeners.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { useReceivers } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { isUuid } from "../../format/search-values.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListView } from "../../ui/views.tsx";
import { ChosenBar } from "./chosen-bar.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { NoDeliveries } from "./no-deliveries.tsx";
import { type DeliveriesSearch, deliveriesSearch, queryOf } from "./search.ts";

const LIVE_MS = 5_000;

export default function Deliveries() {
  const search = useSearch({ from: "/app/deliveries" });
  const navigate = useNavigate({ from: "/deliveries" });
  const { type, from, to } = search;
  const isPossible = search.eventId === undefined || isUuid(search.eventId);
  return (
    <Screen
      title="Deliveries"
      intro="Each event on its way to a subscription, with every attempt. The newest come first."
      action={
        <Link to="/events" search={{ ...(type && { type }), ...(from && { from }), ...(to && { to }) }}>
          Why did nothing arrive?
        </Link>
      }
    >
      <DeliveryFilters
        search={search}
        onChange={(values) => navigate({ search: deliveriesSearch({ ...values }) })}
      />
      {isPossible ? (
        <Log search={search} />
      ) : (
        <EmptyState title="This is not the id of an event">
          <p>
            An event’s id looks like <code>0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b</code>. Receivers get it in
            the header <code>X-service-Event-Id</code>.
          </p>
        </EmptyState>
      )}
      <BehindTheScreen operation="listDeliveries" input={{ query: queryOf(search) }} />
    </Screen>
  );
}

function Log({ search }: { readonly search: DeliveriesSearch }) {
  const receivers = useReceivers();
  const isAdmin = useIsAllowed({ role: "admin" });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const choose = (id: string, isChosen: boolean) =>
    setChosen((all) => (isChosen ? new Set(all).add(id) : new Set([...all].filter((one) => one !== id))));
  const list = useLiveList(
    "listDeliveries",
    { ...queryOf(search), include: "lastAttempt" },
    { everyMs: LIVE_MS },
  );
  useRefreshAt(
    (list.items ?? []).map(({ nextAttemptAt }) => nextAttemptAt),
    list.refreshHead,
  );
  return (
    <ListView
      list={list}
      nouns={{ one: "delivery", many: "deliveries" }}
      empty={<NoDeliveries search={search} list={list} receivers={receivers} />}
    >
      {(deliveries) => (
        <DeliveryTable
          deliveries={deliveries}
          receivers={receivers}
          {...(isAdmin && {
            choice: {
              chosen,
              onChange: choose,
              all: <ChosenBar {...{ deliveries, chosen, receivers }} onChange={setChosen} />,
            },
          })}
        />
      )}
    </ListView>
  );
}
