// The ledger of a subscription: the outcome of each day's events, and a digest that shows a receiver whether it has them all.
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useRead } from "../../data/use-read.ts";
import { dayText } from "../../format/time.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { latestDays, rowsOf } from "./ledger-rows.ts";
import { LedgerTable } from "./ledger-table.tsx";
import { DAYS_MAX, DAYS_MIN } from "./search.ts";
import { useLedger } from "./use-ledger.ts";

export default function Ledger() {
  const { subscriptionId } = useParams({ from: "/app/webhooks/$subscriptionId/ledger" });
  const { days: dayCount = DAYS_MIN, day: unfolded } = useSearch({
    from: "/app/webhooks/$subscriptionId/ledger",
  });
  const navigate = useNavigate({ from: "/webhooks/$subscriptionId/ledger" });
  const { data: subscription } = useRead("getSubscription", { path: { id: subscriptionId } });
  const days = latestDays(Date.now(), dayCount);
  const ledger = useLedger(subscriptionId, days);
  const oldest = ledger.days.at(-1)?.day;
  const unfold = (day: string) =>
    navigate({
      search: ({ day: before, ...rest }) => (before === day ? rest : { ...rest, day }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Screen
      title={subscription === undefined ? "Ledger" : `Ledger: ${subscription.name}`}
      intro={
        <>
          What became of the events of each day, in UTC. A day is closed once it is over and nothing of it
          waits. The digest is the sum of the SHA-256 of all delivered ids, modulo 2^256: a receiver that
          computes the same from the ids it stored has all of them.{" "}
          <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }}>
            The subscription
          </Link>
        </>
      }
    >
      {ledger.days.length > 0 && (
        <LedgerTable rows={rowsOf(ledger.days, unfolded)} unfolded={unfolded} onUnfold={unfold} />
      )}
      {ledger.isReading && <ListSkeleton />}
      {ledger.failure !== null && !(ledger.isEnd && oldest !== undefined) && (
        <ErrorNote failure={ledger.failure} onRetry={ledger.retry} />
      )}
      <div className="list-foot">
        {ledger.isEnd && oldest !== undefined ? (
          <p className="soft">The log begins on {dayText(oldest)}.</p>
        ) : (
          <Link
            to="/webhooks/$subscriptionId/ledger"
            params={{ subscriptionId }}
            search={({ days: _, ...rest }) => (dayCount === DAYS_MAX ? rest : { ...rest, days: DAYS_MAX })}
            resetScroll={false}
          >
            Show the last {dayCount === DAYS_MAX ? DAYS_MIN : DAYS_MAX} days
          </Link>
        )}
      </div>
      <BehindTheScreen
        operation="getLedger"
        input={{ query: { subscriptionId, day: unfolded ?? days[0] ?? "" } }}
      />
    </Screen>
  );
}
