import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { type Receivers, useEventTypes, useReceivers } from "../../data/use-receivers.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { type Selection, useSelection } from "../../data/use-selection.ts";
import { given, isUuid } from "../../format/search-values.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, OUTCOMES } from "../../format/webhooks.ts";
import { counted, optionsOf } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { ConfirmMany } from "../../ui/bulk-dialogs.tsx";
import { Button, TextLink } from "../../ui/button.tsx";
import { AddressFilters, InputFilter, MoreFilters, PeriodFilter, SelectFilter } from "../../ui/filters.tsx";
import { type Column, EmptyState, ListView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { SelectAll, tickColumn } from "../../ui/select-all.tsx";
import { Time } from "../../ui/value.tsx";
import { DeliveryTable, type ListedDelivery, ReceiverName } from "./door.tsx";
import { type DeliveriesSearch, deliveriesSearch, queryOf } from "./search.ts";

export default function Deliveries() {
  const search = useSearch({ from: "/app/deliveries" });
  const { type, from, to } = search;
  const isPossible = search.eventId === undefined || isUuid(search.eventId);
  return (
    <Screen
      title="Deliveries"
      intro="Each event on its way to a subscription, with every attempt. The newest come first."
      action={<TextLink to="/events" search={given({ type, from, to })} text="Why did nothing arrive?" />}
    >
      <DeliveryFilters chosen={search.subscriptionId} />
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
  const list = useLiveList("listDeliveries", { ...queryOf(search), include: "lastAttempt" });
  const selection = useSelection(list);
  useRefreshAt(
    (list.items ?? []).map(({ nextAttemptAt }) => nextAttemptAt),
    list.refreshHead,
  );
  return (
    <ListView
      list={list}
      nouns={{ one: "delivery", many: "deliveries" }}
      empty={<NoDeliveries search={search} receivers={receivers} />}
    >
      {(deliveries) => (
        <DeliveryTable
          deliveries={deliveries}
          {...(isAdmin && {
            ticks: tickColumn(
              selection,
              <TickedDeliveries {...{ selection, receivers }} />,
              ({ type, createdAt }) => `${EVENT_TYPES[type]}, ${createdAt}`,
            ),
          })}
        />
      )}
    </ListView>
  );
}

const OUTCOME_TEXTS = Object.entries(OUTCOMES).map(([value, text]) => ({
  value,
  text: text.charAt(0).toUpperCase() + text.slice(1),
}));

function DeliveryFilters({ chosen }: { readonly chosen: string | undefined }) {
  const { options } = useEventTypes();
  return (
    <AddressFilters label="Filter deliveries" check={deliveriesSearch}>
      <SelectFilter label="Subscription" name="subscriptionId" options={useReceiverOptions(chosen)} />
      <SelectFilter label="Status" name="status" options={optionsOf(DELIVERY_STATUSES)} />
      <SelectFilter label="Event" name="type" options={options} />
      <MoreFilters>
        <PeriodFilter type="datetime-local" />
        <SelectFilter label="Last outcome" name="outcome" options={OUTCOME_TEXTS} />
        <InputFilter label="Status code" name="statusCode" placeholder="500" />
        <InputFilter label="Event id" name="eventId" />
      </MoreFilters>
    </AddressFilters>
  );
}

/** Adds the filtered subscription if it was deleted, because its deliveries are still in the log. */
function useReceiverOptions(chosen: string | undefined) {
  const { all = [], find } = useReceivers();
  const options = all.map(({ id, name, kind }) => ({
    value: id,
    text: kind === "listener" ? `${name} (listener)` : name,
  }));
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options;
  return [
    ...options,
    { value: chosen, text: find(chosen) === null ? `Deleted (…${chosen.slice(-8)})` : "…" },
  ];
}

interface NoDeliveriesProps {
  readonly search: DeliveriesSearch;
  readonly receivers: Receivers;
}

function NoDeliveries({ search, receivers: { all = [] } }: NoDeliveriesProps) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { eventId, type } = search;
  if (Object.keys(search).length > 0)
    return (
      <EmptyState title="No delivery matches">
        <p>
          An event without a delivery is not in this log.{" "}
          {isUuid(eventId) ? (
            <Link to="/events/$eventId" params={{ eventId }}>
              See why nothing was sent for this event
            </Link>
          ) : (
            <TextLink to="/events" search={given({ type })} text="Why did nothing arrive?" />
          )}
        </p>
        <Link to="/deliveries">Show all deliveries</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing was delivered yet">
      {isAdmin ? (
        <Link to="/webhooks" search={given({ create: all.length === 0 || undefined })}>
          {all.length === 0 ? "Create a subscription" : "Send a test to a subscription"}
        </Link>
      ) : (
        <p>Deliveries appear here once an admin has subscribed a URL to events and one of them happens.</p>
      )}
    </EmptyState>
  );
}

interface TickedDeliveriesProps {
  readonly selection: Selection<ListedDelivery>;
  readonly receivers: Receivers;
}

const STALE = ["listDeliveries", "getDelivery", "getWebhookEvent", "listWebhookEvents"] as const;

function TickedDeliveries({ selection, receivers }: TickedDeliveriesProps) {
  const [sent, setSent] = useState<readonly ListedDelivery[] | null>(null);
  const actionOn = ({ length }: readonly unknown[]) =>
    `Redeliver ${counted(length, "delivery", "deliveries")}`;
  return (
    <>
      <SelectAll label="Selected deliveries" selection={selection}>
        <Button text={actionOn(selection.ticked)} onClick={() => setSent(selection.ticked)} />
      </SelectAll>
      {sent !== null && (
        <ConfirmMany
          action={actionOn(sent)}
          look="primary"
          items={sent}
          columns={columnsOf(receivers)}
          doneText="Queued"
          stale={STALE}
          send={({ id }, options) => request("redeliver", { path: { id } }, options)}
          onClose={(doneCount) => {
            setSent(null);
            if (doneCount > 0) selection.tickShown(false);
          }}
        >
          <p>
            Each is sent once more, with the same delivery id and a new set of attempts. What a receiver has
            handled already, it should recognise by the id.
          </p>
        </ConfirmMany>
      )}
    </>
  );
}

function columnsOf(receivers: Receivers): Column<ListedDelivery>[] {
  return [
    {
      name: "Delivery",
      cell: ({ id, type, createdAt }) => (
        <div className="lines">
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} target="_blank">
            {EVENT_TYPES[type]}
          </Link>
          <span className="soft">
            <Time at={createdAt} />
          </span>
        </div>
      ),
    },
    {
      name: "Subscription",
      cell: ({ subscriptionId }) => <ReceiverName id={subscriptionId} receivers={receivers} />,
    },
  ];
}
