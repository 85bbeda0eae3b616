// The log as a table.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import type { Receivers } from "../../data/use-receivers.ts";
import { DELIVERY_STATUSES, EVENT_TYPES } from "../../format/webhooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { ReceiverName } from "./receiver-name.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time, Until } from "../../ui/time.tsx";

type ListedDelivery = ItemOf<"listDeliveries">;

interface DeliveryTableProps {
  readonly deliveries: readonly ListedDelivery[];
  readonly receivers: Receivers;
}

export function DeliveryTable({ deliveries, receivers }: DeliveryTableProps) {
  const columns: Column<ListedDelivery>[] = [
    {
      name: "Event",
      isHeading: true,
      cell: ({ id, type }) => (
        <div className="lines lines-pair">
          <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }}>
            {EVENT_TYPES[type]}
          </Link>
          <code className="soft">{type}</code>
        </div>
      ),
    },
    { name: "Created", cardLine: 1, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: "Subscription",
      cardLine: 2,
      cell: ({ subscriptionId }) => (
        <div className="lines">
          <ReceiverName id={subscriptionId} receivers={receivers} />
        </div>
      ),
    },
    { name: "Status", cardLine: 2, cell: (delivery) => <Status delivery={delivery} /> },
    { name: "Attempts", isNumber: true, isMinor: true, cell: ({ attemptCount }) => attemptCount },
  ];
  return <Table caption="Deliveries" columns={columns} rows={deliveries} />;
}

function Status({
  delivery: { status, attemptCount, nextAttemptAt },
}: {
  readonly delivery: ListedDelivery;
}) {
  const { text, tone } = DELIVERY_STATUSES[status];
  return (
    <div className="lines">
      <Badge tone={tone}>{text}</Badge>
      {status === "retrying" && nextAttemptAt !== null && (
        <span className="soft">
          attempt {attemptCount + 1} <Until at={nextAttemptAt} />
        </span>
      )}
    </div>
  );
}
