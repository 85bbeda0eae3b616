import { Link, useParams } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { LIVE_MS, useRead } from "../../data/operations.ts";
import { type Receivers, useReceivers } from "../../data/use-receivers.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, isOpen } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { CodeBlock, CopiedId } from "../../ui/code.tsx";
import { type Column, EmptyState, ReadView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, Facts, Screen, Section } from "../../ui/screen.tsx";
import { Badge, ExactTime } from "../../ui/value.tsx";
import { ReceiverName } from "../deliveries/door.tsx";
import { type EventWithMatches, explain, type Match } from "./explanation.ts";
import "./event.css";

const OVER_MS = 30_000;

export default function Event() {
  const { eventId } = useParams({ from: "/app/events/$eventId" });
  const input = { path: { id: eventId } };
  const receivers = useReceivers();
  const read = useRead("getWebhookEvent", input, {
    everyMs: ({ deliveries }) => (deliveries.some(({ status }) => isOpen(status)) ? LIVE_MS : OVER_MS),
  });
  return (
    <Screen
      title={read.data === undefined ? "Event" : `Event: ${EVENT_TYPES[read.data.type]}`}
      intro={read.data?.data.test && "An admin sent it as a test, to one subscription only."}
    >
      <ReadView read={read}>{(event) => <EventParts event={event} receivers={receivers} />}</ReadView>
      <BehindTheScreen operation="getWebhookEvent" input={input} />
    </Screen>
  );
}

interface EventPartsProps {
  readonly event: EventWithMatches;
  readonly receivers: Receivers;
}

function EventParts({ event, receivers }: EventPartsProps) {
  const { id, type, occurredAt, resourceId, requestId, data } = event;
  const maySeeRequests = useIsAllowed({ role: "admin" });
  return (
    <>
      <Section
        title="Who got it"
        intro="Every subscription and listener of the shop, and why the event did or did not arrive there."
      >
        <MatchTable event={event} receivers={receivers} />
      </Section>
      <div className="columns">
        <Section title="Data" intro="What receivers get as data.">
          <CodeBlock text={JSON.stringify(data, null, 2)} what="the data" />
        </Section>
        <Facts
          label="This event"
          of={{
            Type: <code>{type}</code>,
            Happened: <ExactTime at={occurredAt} />,
            About: resourceId && (
              <>
                <CopiedId id={resourceId} what="id" />
                <p>
                  <TextLink to="/events" search={{ resourceId }} text="All events about it" />
                </p>
              </>
            ),
            "Request id": (
              <>
                <CopiedId id={requestId} what="request id" />
                {maySeeRequests && (
                  <p>
                    <TextLink to="/requests/$requestId" params={{ requestId }} text="The request" />
                  </p>
                )}
              </>
            ),
            "Event id": <CopiedId id={id} what="event id" />,
            Deliveries: <TextLink to="/deliveries" search={{ eventId: id }} text="All deliveries of it" />,
          }}
        />
      </div>
    </>
  );
}

/** Unfolds at most this many receivers if the event matched no receiver. */
const OPEN_MAX = 5;

type Row = ReturnType<typeof rowsOf>[number];

/** Receivers that did not match are folded away, because there may be dozens. */
function MatchTable({ event, receivers }: EventPartsProps) {
  const columns: Column<Row>[] = [
    {
      name: "Subscription",
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
            <Badge {...DELIVERY_STATUSES[status]} />
          )}
          {deliveryId !== null && (
            <TextLink to="/deliveries/$deliveryId" params={{ deliveryId }} text="Open the delivery" />
          )}
        </div>
      ),
    },
    { name: "Why", cell: (row) => <Why row={row} event={event} receivers={receivers} /> },
  ];
  const rows = rowsOf(event);
  if (rows.length === 0)
    return (
      <EmptyState
        title="There is no subscription"
        text="Nothing can arrive until a URL is subscribed to events. A subscription gets what happens from then on."
      >
        <Link to="/webhooks">Go to the subscriptions</Link>
      </EmptyState>
    );
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

function badgeOf(reason: Match["reason"]): string {
  if (reason === null) return "No longer kept";
  return reason === "filtered" ? "Filtered" : "Not matched";
}

function Why({ row, event, receivers }: EventPartsProps & { readonly row: Row }) {
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

function rowsOf({ subscriptions, deliveries }: EventWithMatches) {
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
