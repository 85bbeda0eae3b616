// Lists every subscription with the reason why an event arrived or did not, then the deliveries to deleted subscriptions.
// Subscriptions that did not match are folded away, because there may be dozens.
import { Link } from "@tanstack/react-router";
import type { Receivers } from "../../data/use-receivers.ts";
import { DELIVERY_STATUSES, type DeliveryStatus } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ReceiverName } from "../deliveries/door.ts";
import { type EventWithMatches, explain, type Match } from "./explanation.ts";
import "./match-table.css";

/** At most this many receivers are shown unfolded if the event was for none of them. */
const OPEN_MAX = 5;

interface MatchTableProps {
  readonly event: EventWithMatches;
  readonly receivers: Receivers;
}

interface Row extends Pick<Match, "reason" | "filteredBy" | "deliveryId"> {
  /** The subscription's id. */
  readonly id: string;
  /** Undefined if the subscription is deleted. */
  readonly name: string | undefined;
  readonly status: DeliveryStatus | undefined;
}

export function MatchTable({ event, receivers }: MatchTableProps) {
  const columns: Column<Row>[] = [
    {
      name: "Subscription",
      isHeading: true,
      cell: ({ id, name }) => (
        <div className="lines">
          <ReceiverName id={id} name={name} receivers={receivers} />
        </div>
      ),
    },
    {
      name: "Delivery",
      cell: ({ status, reason, deliveryId }) => (
        <div className="lines">
          {status === undefined ? (
            <Badge tone="quiet">{badgeOf(reason)}</Badge>
          ) : (
            <Badge tone={DELIVERY_STATUSES[status].tone}>{DELIVERY_STATUSES[status].text}</Badge>
          )}
          {deliveryId !== null && (
            <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
              Open the delivery
            </Link>
          )}
        </div>
      ),
    },
    { name: "Why", cell: (row) => <Why row={row} event={event} receivers={receivers} /> },
  ];
  const rows = rowsOf(event);
  if (rows.length === 0) return <NoSubscriptions />;
  const matched = rows.filter(({ reason }) => reason === null);
  const others = rows.filter(({ reason }) => reason !== null);
  return (
    <>
      {matched.length > 0 && <Table caption="Who got it" columns={columns} rows={matched} />}
      {others.length > 0 && (
        <details className="others" open={matched.length === 0 && others.length <= OPEN_MAX}>
          <summary>{othersText(others.length, matched.length)}</summary>
          <Table caption="Who did not get it" columns={columns} rows={others} />
        </details>
      )}
    </>
  );
}

function othersText(others: number, matched: number): string {
  if (matched > 0) return `${others === 1 ? "1 other receiver" : `${others} other receivers`} did not match`;
  return others === 1 ? "The only receiver did not match" : `None of the ${others} receivers matched`;
}

/** Returns the text for a subscription without a delivery. */
function badgeOf(reason: Match["reason"]): string {
  if (reason === null) return "No longer kept";
  return reason === "filtered" ? "Filtered" : "Not matched";
}

function Why({ row, event, receivers }: MatchTableProps & { readonly row: Row }) {
  const { reason, next, isDoneThere } = explain(event.type, row, row.status, receivers.find(row.id));
  return (
    <div>
      <p>{reason}</p>
      {next !== undefined && <p className="soft">{next}</p>}
      {isDoneThere && (
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId: row.id }}>
          Open the subscription
        </Link>
      )}
    </div>
  );
}

function rowsOf({ subscriptions, deliveries }: EventWithMatches): Row[] {
  const statusOf = new Map(deliveries.map(({ id, status }) => [id, status]));
  const existing = new Set(subscriptions.map(({ subscriptionId }) => subscriptionId));
  return [
    ...subscriptions.map(({ subscriptionId, name, reason, filteredBy, deliveryId }) => ({
      id: subscriptionId,
      name,
      reason,
      filteredBy,
      deliveryId,
      status: deliveryId === null ? undefined : statusOf.get(deliveryId),
    })),
    ...deliveries
      .filter(({ subscriptionId }) => !existing.has(subscriptionId))
      .map(({ id, subscriptionId, status }) => ({
        id: subscriptionId,
        name: undefined,
        reason: null,
        filteredBy: null,
        deliveryId: id,
        status,
      })),
  ];
}

function NoSubscriptions() {
  return (
    <EmptyState title="There is no subscription">
      <p>
        Nothing can arrive until a URL is subscribed to events. A subscription gets what happens from then on.
      </p>
      <Link to="/webhooks">Go to the subscriptions</Link>
    </EmptyState>
  );
}
