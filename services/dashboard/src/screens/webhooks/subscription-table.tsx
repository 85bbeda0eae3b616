// The subscriptions as a table.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { StateBadge } from "./state-badge.tsx";

type Listed = ItemOf<"listSubscriptions">;

const ALL = Object.keys(EVENT_TYPES).length;

const COLUMNS: readonly Column<Listed>[] = [
  {
    name: "Subscription",
    isHeading: true,
    cell: ({ id, name, url }) => (
      <div className="lines">
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId: id }}>
          <strong className="clamped">
            <bdi>{name}</bdi>
          </strong>
        </Link>
        <code className="soft clamped">{url}</code>
      </div>
    ),
  },
  { name: "Events", cell: ({ events }) => <Events events={events} /> },
  { name: "State", cell: (subscription) => <StateBadge subscription={subscription} /> },
  {
    name: "Last success",
    cell: ({ health: { lastSuccessAt } }) =>
      lastSuccessAt === null ? <span className="soft">Never</span> : <Time at={lastSuccessAt} />,
  },
];

export function SubscriptionTable({ subscriptions }: { readonly subscriptions: readonly Listed[] }) {
  return <Table caption="Subscriptions" columns={COLUMNS} rows={subscriptions} />;
}

function Events({ events }: Pick<Listed, "events">) {
  if (events.length === ALL) return `All ${ALL}`;
  return (
    <ul className="tags">
      {events.map((type) => (
        <li key={type} title={type}>
          {EVENT_TYPES[type]}
        </li>
      ))}
    </ul>
  );
}
