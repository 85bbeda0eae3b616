import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { LIVE_MS, useList } from "../../data/operations.ts";
import { Button, NameLink, TextLink } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, ReadOnly, Screen, Section } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { type NewSecret, SecretDialog } from "./secret-dialogs.tsx";
import { CreateSubscriptionDialog } from "./subscription-dialogs.tsx";
import { EventTags, StateBadge } from "./subscription-facts.tsx";

const QUERY = { limit: 100 };

export default function Webhooks() {
  const search = useSearch({ from: "/app/webhooks" });
  const navigate = useNavigate({ from: "/webhooks" });
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const isAdmin = useIsAllowed({ role: "admin" });
  const list = useList("listSubscriptions", QUERY, { everyMs: LIVE_MS });
  const setCreating = (isOpen: boolean) => navigate({ search: isOpen ? { create: true } : {} });
  return (
    <Screen
      title="Subscriptions"
      intro={
        <>
          Each sends the events that it names to a URL. <Link to="/webhooks/event-types">Event types</Link> ·{" "}
          <TextLink to="/guides/$guide" params={{ guide: "receive-webhooks" }} text="How to receive them" />
        </>
      }
      action={
        isAdmin && (
          <Button text="Create subscription" icon="plus" look="primary" onClick={() => setCreating(true)} />
        )
      }
    >
      <ReadOnly neededRole="admin" title="You see the subscriptions and cannot change them" />
      <ListView list={list} empty={<NoSubscriptions />}>
        {(subscriptions) => <Table caption="Subscriptions" columns={COLUMNS} rows={subscriptions} />}
      </ListView>
      <Listeners />
      <BehindTheScreen operation="listSubscriptions" input={{ query: QUERY }} />
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
    cell: ({ id, name, url }) => (
      <div className="lines">
        <NameLink to="/webhooks/$subscriptionId" params={{ subscriptionId: id }} name={name} />
        <code className="soft clamped">{url}</code>
      </div>
    ),
  },
  { name: "Events", cell: ({ events }) => <EventTags events={events} /> },
  { name: "State", cell: (subscription) => <StateBadge subscription={subscription} /> },
  { name: "Last success", cell: ({ health }) => <Time at={health.lastSuccessAt} /> },
];

function NoSubscriptions() {
  const isAdmin = useIsAllowed({ role: "admin" });
  return (
    <EmptyState
      title="No system is subscribed yet"
      text="A subscription sends a signed request to a URL of yours as soon as something happens here: an entry is published, a file is ready, a redirect is added."
    >
      {isAdmin ? (
        <TextLink to="/webhooks" search={{ create: true }} text="Subscribe a URL" />
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

type Listener = ItemOf<"listListeners">;

/** Receivers that fetch, such as `tradepost listen` and the Console. Nothing is shown without any. */
function Listeners() {
  const { items = [] } = useList("listListeners", QUERY, { everyMs: LIVE_MS });
  const isEditor = useIsAllowed({ role: "editor" });
  const [deleted, setDeleted] = useState<Listener | null>(null);
  if (items.length === 0) return null;
  const actions: Column<Listener> = {
    name: "Actions",
    isActions: true,
    cell: (listener) => (
      <Button
        text="Delete"
        look="quiet"
        onClick={() => setDeleted(listener)}
        about={`the listener ${listener.name}`}
      />
    ),
  };
  return (
    <Section title="Listeners" intro="They have no URL: a program fetches the deliveries.">
      <Table
        caption="Listeners"
        columns={isEditor ? [...LISTENER_COLUMNS, actions] : LISTENER_COLUMNS}
        rows={items}
      />
      {deleted && (
        <Confirm
          title={`Delete “${deleted.name}”?`}
          action="Delete listener"
          operation="deleteListener"
          input={{ path: { id: deleted.id } }}
          stale={["listListeners", "listDeliveries"]}
          done={`“${deleted.name}” is deleted.`}
          onClose={() => setDeleted(null)}
          text="A program that uses it ends, and what waits for it is cancelled. The log keeps what was fetched."
        />
      )}
    </Section>
  );
}

const LISTENER_COLUMNS: readonly Column<Listener>[] = [
  {
    name: "Listener",
    cell: ({ name }) => (
      <strong className="clamped">
        <bdi>{name}</bdi>
      </strong>
    ),
  },
  { name: "Events", cell: ({ events }) => <EventTags events={events} /> },
  {
    name: "Waiting",
    isNumber: true,
    cell: ({ waiting }) => Object.values(waiting).reduce((sum, count) => sum + count, 0),
  },
  {
    name: "Expires",
    cell: ({ active, expiresAt }) =>
      active ? <Time at={expiresAt} /> : <Badge tone="warning">Expired</Badge>,
  },
];
