import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { useLiveList } from "../../data/use-live-list.ts";
import { isUuid } from "../../format/search-values.ts";
import { fieldOf } from "../../format/time.ts";
import { DELIVERY_STATUSES, type DeliveryStatus, EVENT_TYPES } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { ShortId } from "../../ui/code.tsx";
import { Filters, InputFilter, SelectFilter } from "../../ui/filters.tsx";
import { PeriodFilter } from "../../ui/period-filter.tsx";
import { Screen } from "../../ui/screen.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { EmptyState, ListView, MoreButton } from "../../ui/views.tsx";
import { type EventsSearch, eventsSearch, queryOf } from "./search.ts";

const LIVE_MS = 5_000;
const TYPES = Object.entries(EVENT_TYPES).map(([value, text]) => ({ value, text }));

export default function Events() {
  const search = useSearch({ from: "/app/events" });
  const navigate = useNavigate({ from: "/events" });
  const isPossible = search.resourceId === undefined || isUuid(search.resourceId);
  return (
    <Screen
      title="Events"
      intro="Why did nothing arrive? Find the event: its page says, for each subscription, whether it matched and what to do. Orders are not here: programs read their events from /v1/orders/events."
    >
      <Filters label="Filter events" onChange={(values) => navigate({ search: eventsSearch({ ...values }) })}>
        <SelectFilter label="Event" name="type" value={search.type} options={TYPES} />
        <InputFilter label="Entry, file or redirect id" name="resourceId" value={search.resourceId} />
        <PeriodFilter
          type="datetime-local"
          from={search.from && fieldOf(search.from)}
          to={search.to && fieldOf(search.to)}
        />
      </Filters>
      {isPossible ? (
        <Log search={search} />
      ) : (
        <EmptyState title="This is not an id">
          <p>
            The id of an entry, a file or a redirect looks like{" "}
            <code>0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b</code>.
          </p>
        </EmptyState>
      )}
      <BehindTheScreen operation="listWebhookEvents" input={{ query: queryOf(search) }} />
    </Screen>
  );
}

function Log({ search }: { readonly search: EventsSearch }) {
  const list = useLiveList("listWebhookEvents", queryOf(search), { everyMs: LIVE_MS });
  const isFiltered = Object.keys(search).length > 0;
  const empty = list.hasNextPage ? (
    <EmptyState title="Nothing found so far">
      <p>A request searches 10,000 events, and none of the newest matches. The search can go on.</p>
      <MoreButton list={list} />
    </EmptyState>
  ) : (
    <NoEvents isFiltered={isFiltered} />
  );
  return (
    <ListView list={list} nouns={{ one: "event", many: "events" }} empty={empty}>
      {(events) => <Table caption="Events" columns={COLUMNS} rows={events} />}
    </ListView>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title={isFiltered ? "No event matches" : "Nothing has happened yet"}>
      <p>
        Entries, files and redirects cause events when they are added or changed, and events are kept for 30
        days. Orders cause none that can be subscribed to: programs read them from{" "}
        <code>/v1/orders/events</code>.
      </p>
      {isFiltered ? (
        <Link to="/events">Show all events</Link>
      ) : (
        <Link to="/webhooks/event-types">See all events with examples</Link>
      )}
    </EmptyState>
  );
}

type ListedEvent = ItemOf<"listWebhookEvents">;

const COLUMNS: readonly Column<ListedEvent>[] = [
  {
    name: "Event",
    isHeading: true,
    cell: ({ id, type }) => (
      <div className="lines lines-pair">
        <Link to="/events/$eventId" params={{ eventId: id }}>
          {EVENT_TYPES[type]}
        </Link>
        <code className="soft">{type}</code>
      </div>
    ),
  },
  { name: "Happened", cardLine: 1, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { name: "About", cell: ({ resourceId }) => resourceId !== null && <ShortId id={resourceId} /> },
  { name: "Deliveries", cardLine: 2, cell: (event) => <Deliveries event={event} /> },
];

function Deliveries({ event: { deliveries } }: { readonly event: ListedEvent }) {
  if (deliveries.length === 0) return <span className="soft">No subscription matched</span>;
  const counts = Map.groupBy(deliveries, ({ status }) => status);
  return (
    <div className="row">
      {[...counts].map(([status, { length }]) => (
        <Count key={status} status={status} count={length} />
      ))}
    </div>
  );
}

function Count({ status, count }: { readonly status: DeliveryStatus; readonly count: number }) {
  const { text, tone } = DELIVERY_STATUSES[status];
  return (
    <Badge tone={tone}>
      {count > 1 && `${count} × `}
      {text}
    </Badge>
  );
}
