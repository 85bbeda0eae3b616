import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { waitingText } from "../../format/webhooks.ts";
import { Note } from "../../ui/note.tsx";
import { BehindTheScreen, ReadOnly, Screen } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import { LatestDeliveries } from "../deliveries/door.tsx";
import { AttemptsSection } from "./attempts-section.tsx";
import { ReplayProgress, Replays } from "./replays.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { StateBadge, SubscriptionFacts } from "./subscription-facts.tsx";

const LIVE_MS = 5_000;
const LATEST = 10;

export default function Subscription() {
  const { subscriptionId } = useParams({ from: "/app/webhooks/$subscriptionId" });
  const { replay } = useSearch({ from: "/app/webhooks/$subscriptionId" });
  const isAdmin = useIsAllowed({ role: "admin" });
  const input = { path: { id: subscriptionId } };
  const read = useRead("getSubscription", input, { everyMs: LIVE_MS });
  const query = { subscriptionId, limit: LATEST, include: "lastAttempt" } as const;
  const latest = useList("listDeliveries", query, { everyMs: LIVE_MS });
  // A deleted subscription is not shown any more, even if it was read before.
  const shown = read.error?.status === 404 ? { ...read, data: undefined } : read;
  return (
    <Screen title={shown.data?.name ?? "Subscription"}>
      <ReadView read={shown}>
        {(subscription) => (
          <>
            <StateBadge subscription={subscription} />
            {isAdmin ? (
              <SubscriptionActions subscription={subscription} etag={read.etag} />
            ) : (
              <ReadOnly neededRole="admin" title="You see the subscriptions and cannot change them" />
            )}
            {!subscription.active && <Waiting subscriptionId={subscriptionId} />}
            {replay !== undefined && (
              <ReplayProgress key={replay} id={replay} subscriptionId={subscriptionId} />
            )}
            <AttemptsSection subscriptionId={subscriptionId} />
            <LatestDeliveries
              list={latest}
              isOfOne
              search={{ subscriptionId }}
              none="Nothing was sent yet. “Send a test” sends an example."
            />
            <SubscriptionFacts subscription={subscription} />
            <Replays subscriptionId={subscriptionId} />
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getSubscription" input={input} />
    </Screen>
  );
}

const SHOWN_MAX = 100;

function Waiting({ subscriptionId }: { readonly subscriptionId: string }) {
  const filter = { subscriptionId, status: "paused" } as const;
  const { items, hasNextPage } = useList(
    "listDeliveries",
    { ...filter, limit: SHOWN_MAX },
    { everyMs: LIVE_MS },
  );
  const count = items?.length;
  return (
    <Note tone="warning" title="Paused">
      <p>Nothing is sent, and nothing is lost: what happens meanwhile waits, and is sent after a resume.</p>
      {count === 0 && <p>Nothing waits yet.</p>}
      {count !== undefined && count > 0 && (
        <Link to="/deliveries" search={filter}>
          {hasNextPage ? `${count} or more deliveries wait` : waitingText(count)}
        </Link>
      )}
    </Note>
  );
}
