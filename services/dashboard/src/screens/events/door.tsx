import type { ItemOf } from "@tradepost/client/operations";
import { DELIVERY_STATUSES, EVENT_TYPES } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { ShortId } from "../../ui/code.tsx";
import { type Column, Subject, Table } from "../../ui/list.tsx";
import { Badge, Time } from "../../ui/value.tsx";

type ListedEvent = ItemOf<"listWebhookEvents">;

export function EventTable({ events }: { readonly events: readonly ListedEvent[] }) {
  return <Table caption="Events" columns={COLUMNS} rows={events} />;
}

const COLUMNS: readonly Column<ListedEvent>[] = [
  {
    name: "Event",
    cell: ({ id, type }) => (
      <div className="lines lines-pair">
        <TextLink to="/events/$eventId" params={{ eventId: id }} text={EVENT_TYPES[type]} />
        <code className="soft">{type}</code>
      </div>
    ),
  },
  { name: "Happened", cardLine: 1, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { name: "About", cardLine: 3, cell: (event) => <About event={event} /> },
  { name: "Deliveries", cardLine: 2, cell: (event) => <Deliveries event={event} /> },
];

function About({ event: { subject, resourceId } }: { readonly event: ListedEvent }) {
  if (subject !== null) return <Subject subject={subject} />;
  return resourceId !== null && <ShortId id={resourceId} />;
}

function Deliveries({ event: { deliveries } }: { readonly event: ListedEvent }) {
  if (deliveries.length === 0) return <span className="soft">No subscription matched</span>;
  const counts = Map.groupBy(deliveries, ({ status }) => status);
  return (
    <div className="row">
      {[...counts].map(([status, { length }]) => (
        <Badge key={status} tone={DELIVERY_STATUSES[status].tone}>
          {length > 1 && `${length} × `}
          {DELIVERY_STATUSES[status].text}
        </Badge>
      ))}
    </div>
  );
}
