// The subscriptions: the address and events of each, and whether deliveries succeed.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../../data/use-list.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { Filters, SelectFilter } from "../../ui/filters.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListView } from "../../ui/views.tsx";
import { CreateSubscriptionDialog } from "./create-subscription-dialog.tsx";
import { NoSubscriptions } from "./no-subscriptions.tsx";
import { OnlyAdmins, useIsAdmin } from "./only-admins.tsx";
import { activeOf, webhooksSearch } from "./search.ts";
import { type NewSecret, SecretDialog } from "./secret-dialog.tsx";
import { SubscriptionTable } from "./subscription-table.tsx";

const LIVE_MS = 5_000;
const STATES = [
  { value: "active", text: "Active" },
  { value: "paused", text: "Paused" },
];

export default function Webhooks() {
  const search = useSearch({ from: "/app/webhooks" });
  const navigate = useNavigate({ from: "/webhooks" });
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const isAdmin = useIsAdmin();
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
      <OnlyAdmins />
      <Filters
        label="Filter subscriptions"
        onChange={(values) => navigate({ search: webhooksSearch({ ...values }) })}
      >
        <SelectFilter label="State" name="state" value={search.state} options={STATES} />
      </Filters>
      <ListView list={list} empty={<NoSubscriptions isFiltered={search.state !== undefined} />}>
        {(subscriptions) => <SubscriptionTable subscriptions={subscriptions} />}
      </ListView>
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
