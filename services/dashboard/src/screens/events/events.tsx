import { Link, useSearch } from "@tanstack/react-router";
import { useLiveList } from "../../data/use-live-list.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { isUuid } from "../../format/search-values.ts";
import { AddressFilters, InputFilter, PeriodFilter, SelectFilter } from "../../ui/filters.tsx";
import { EmptyState, ListView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { EventTable } from "./door.tsx";
import { type EventsSearch, eventsSearch, queryOf } from "./search.ts";

export default function Events() {
  const search = useSearch({ from: "/app/events" });
  const { options, hasOrders } = useEventTypes();
  const isPossible = search.resourceId === undefined || isUuid(search.resourceId);
  return (
    <Screen
      title="Events"
      intro={`Why did nothing arrive? Find the event: its page says, for each subscription, whether it matched and what to do.${hasOrders ? "" : " Orders are not here: programs read their events from /v1/orders/events."}`}
    >
      <AddressFilters label="Filter events" check={eventsSearch}>
        <InputFilter label="Search" name="search" placeholder="Title, file, path…" />
        <SelectFilter label="Event" name="type" options={options} />
        <InputFilter
          label={`Entry, file${hasOrders ? ", redirect or order" : " or redirect"} id`}
          name="resourceId"
        />
        <PeriodFilter type="datetime-local" />
      </AddressFilters>
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
  const list = useLiveList("listWebhookEvents", queryOf(search));
  return (
    <ListView
      list={list}
      nouns={{ one: "event", many: "events" }}
      empty={<NoEvents isFiltered={Object.keys(search).length > 0} />}
    >
      {(events) => <EventTable events={events} />}
    </ListView>
  );
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState title={isFiltered ? "No event matches" : "Nothing has happened yet"}>
      <p>
        Entries, files and redirects cause events when they are added or changed, and events are kept for 30
        days. What programs hear about orders is in <code>/v1/orders/events</code>.
      </p>
      {isFiltered ? (
        <Link to="/events">Show all events</Link>
      ) : (
        <Link to="/webhooks/event-types">See all events with examples</Link>
      )}
    </EmptyState>
  );
}
