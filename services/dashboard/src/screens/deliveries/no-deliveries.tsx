// Says why the log is empty: nothing was sent yet, nothing matches the filters, or nothing was found so far.
import { Link } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import type { Receivers } from "../../data/use-receivers.ts";
import { isUuid } from "../../format/search-values.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import type { DeliveriesSearch } from "./search.ts";

interface NoDeliveriesProps {
  readonly search: DeliveriesSearch;
  readonly list: Parameters<typeof MoreButton>[0]["list"];
  readonly receivers: Receivers;
}

export function NoDeliveries({ search, list, receivers }: NoDeliveriesProps) {
  if (list.hasNextPage)
    return (
      <EmptyState title="Nothing found so far">
        <p>A request searches 10,000 deliveries, and none of the newest matches. The search can go on.</p>
        <MoreButton list={list} />
      </EmptyState>
    );
  if (Object.keys(search).length > 0) return <NothingMatches search={search} />;
  return <NothingYet hasReceivers={(receivers.all?.length ?? 0) > 0} />;
}

function NothingMatches({ search: { eventId, type } }: { readonly search: DeliveriesSearch }) {
  return (
    <EmptyState title="No delivery matches">
      <p>
        An event without a delivery is not in this log.{" "}
        {isUuid(eventId) ? (
          <Link to="/events/$eventId" params={{ eventId }}>
            See why nothing was sent for this event
          </Link>
        ) : (
          <Link to="/events" search={type === undefined ? {} : { type }}>
            Why did nothing arrive?
          </Link>
        )}
      </p>
      <Link to="/deliveries">Show all deliveries</Link>
    </EmptyState>
  );
}

function NothingYet({ hasReceivers }: { readonly hasReceivers: boolean }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  return (
    <EmptyState title="Nothing was delivered yet">
      {!isAdmin ? (
        <p>Deliveries appear here once an admin has subscribed a URL to events and one of them happens.</p>
      ) : hasReceivers ? (
        <>
          <p>
            No event has happened since the first subscription. Open one and send a test to see it arrive.
          </p>
          <Link to="/webhooks">Send a test</Link>
        </>
      ) : (
        <>
          <p>Subscribe a URL to the events that it should hear about, then send a test to see it arrive.</p>
          <Link to="/webhooks" search={{ create: true }}>
            Create a subscription
          </Link>
        </>
      )}
    </EmptyState>
  );
}
