// The subscriptions: the address and events of each, and whether deliveries succeed.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { Filters, SelectFilter } from "../../ui/filters.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { ReadOnly, Screen } from "../../ui/screen.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { EmptyState, ListView } from "../../ui/views.tsx";
import { EventTags } from "./event-tags.tsx";
import { Listeners } from "./listeners.tsx";
import { activeOf, webhooksSearch } from "./search.ts";
import { type NewSecret, SecretDialog } from "./secret-dialogs.tsx";
import { CreateSubscriptionDialog } from "./subscription-dialogs.tsx";
import { StateBadge } from "./subscription-facts.tsx";

const LIVE_MS = 5_000;
const STATES = [
  { value: "active", text: "Active" },
  { value: "paused", text: "Paused" },
];

export default function Webhooks() {
  const search = useSearch({ from: "/app/webhooks" });
  const navigate = useNavigate({ from: "/webhooks" });
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const isAdmin = useIsAllowed({ role: "admin" });
  const query = { limit: 100, ...activeOf(search) };
  const list = useList("listSubscriptions", query, { everyMs: LIVE_MS });
  const setCreating = (isOpen: boolean) =>
    navigate({
      search: ({ create: _, type: __, ...rest }) => (isOpen ? { ...rest, create: true as const } : rest),
    });
  return (
    <Screen
      title="Subscriptions"
      intro={
        <>
          Each sends the events that it names to a URL. <Link to="/webhooks/event-types">Event types</Link> ·{" "}
          <Link to="/guides/$guide" params={{ guide: "receive-webhooks" }}>
            How to receive them
          </Link>
        </>
      }
      action={
        isAdmin && (
          <Button look="primary" onClick={() => setCreating(true)}>
            <PlusIcon /> Create subscription
          </Button>
        )
      }
    >
      <ReadOnly neededRole="admin" title="You see the subscriptions and cannot change them" />
      <Filters
        label="Filter subscriptions"
        onChange={(values) => navigate({ search: webhooksSearch({ ...values }) })}
      >
        <SelectFilter label="State" name="state" value={search.state} options={STATES} />
      </Filters>
      <ListView list={list} empty={<NoSubscriptions isFiltered={search.state !== undefined} />}>
        {(subscriptions) => <Table caption="Subscriptions" columns={COLUMNS} rows={subscriptions} />}
      </ListView>
      <Listeners everyMs={LIVE_MS} />
      <BehindTheScreen operation="listSubscriptions" input={{ query }} />
      {search.create && isAdmin && (
        <CreateSubscriptionDialog
          type={search.type}
          onClose={() => setCreating(false)}
          onCreated={async (created) => {
            await setCreating(false);
            setSecret(created);
          }}
        />
      )}
      {secret && (
        <SecretDialog
          secret={secret}
          onStored={() =>
            navigate({ to: "/webhooks/$subscriptionId", params: { subscriptionId: secret.id } })
          }
        />
      )}
    </Screen>
  );
}

type Listed = ItemOf<"listSubscriptions">;

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
  { name: "Events", cell: ({ events }) => <EventTags events={events} /> },
  { name: "State", cell: (subscription) => <StateBadge subscription={subscription} /> },
  {
    name: "Last success",
    cell: ({ health: { lastSuccessAt } }) =>
      lastSuccessAt === null ? <span className="soft">Never</span> : <Time at={lastSuccessAt} />,
  },
];

function NoSubscriptions({ isFiltered }: { readonly isFiltered: boolean }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  if (isFiltered)
    return (
      <EmptyState title="No subscription is in this state">
        <Link to="/webhooks">Show all subscriptions</Link>
      </EmptyState>
    );
  return (
    <EmptyState title="No system is subscribed yet">
      <p>
        A subscription sends a signed request to a URL of yours as soon as something happens here: an entry is
        published, a file is ready, a redirect is added.
      </p>
      {isAdmin ? (
        <Link to="/webhooks" search={{ create: true }}>
          Subscribe a URL
        </Link>
      ) : (
        <p>An admin can create one.</p>
      )}
      <p>
        <code>{`npx -p ${location.origin}/client.tgz tradepost listen`}</code> forwards events to your machine
        while you develop a receiver. It needs no public URL.
      </p>
    </EmptyState>
  );
}
