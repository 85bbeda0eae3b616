// One subscription: its state, its settings, and the actions on it.
import { useParams, useSearch } from "@tanstack/react-router";
import { useRead } from "../../data/use-read.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ReadView } from "../../ui/views.tsx";
import { AttemptsSection, LatestDeliveries } from "./attempts-section.tsx";
import { OnlyAdmins, useIsAdmin } from "./only-admins.tsx";
import { ReplayProgress } from "./replay-progress.tsx";
import { Replays } from "./replays.tsx";
import { StateBadge } from "./state-badge.tsx";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { SubscriptionFacts } from "./subscription-facts.tsx";
import { Waiting } from "./waiting.tsx";

const LIVE_MS = 5_000;

export default function Subscription() {
  const { subscriptionId } = useParams({ from: "/app/webhooks/$subscriptionId" });
  const { replay, days = 1 } = useSearch({ from: "/app/webhooks/$subscriptionId" });
  const isAdmin = useIsAdmin();
  const input = { path: { id: subscriptionId } };
  const read = useRead("getSubscription", input, { everyMs: LIVE_MS });
  // A deleted subscription is not shown any more, even if it was read before.
  const shown = read.error?.status === 404 ? { ...read, data: undefined } : read;
  return (
    <Screen title={shown.data?.name ?? "Subscription"}>
      <ReadView read={shown}>
        {(subscription) => (
          <>
            <StateBadge subscription={subscription} />
            {isAdmin ? <SubscriptionActions subscription={subscription} etag={read.etag} /> : <OnlyAdmins />}
            {!subscription.active && <Waiting subscriptionId={subscriptionId} />}
            {replay !== undefined && (
              <ReplayProgress key={replay} id={replay} subscriptionId={subscriptionId} />
            )}
            <AttemptsSection subscriptionId={subscriptionId} days={days} />
            <LatestDeliveries subscriptionId={subscriptionId} />
            <SubscriptionFacts subscription={subscription} />
            <Replays subscriptionId={subscriptionId} />
          </>
        )}
      </ReadView>
      <BehindTheScreen operation="getSubscription" input={input} />
    </Screen>
  );
}
