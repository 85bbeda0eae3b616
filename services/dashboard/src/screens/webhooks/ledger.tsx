// The ledger of a subscription: the outcome of each day's events, and a digest that shows a receiver whether it has them all.
import { useQueries } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import type { Reply } from "../../api/send.ts";
import { readQuery, useRead } from "../../data/operations.ts";
import { number } from "../../format/shop.ts";
import { dayText } from "../../format/time.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type Column, Skeleton, Table } from "../../ui/list.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Badge } from "../../ui/value.tsx";
import { COUNTS, type LedgerDay, type LedgerRow, latestDays, rowsOf } from "./ledger-rows.ts";
import { DAYS_MAX, DAYS_MIN } from "./search.ts";
import "./ledger.css";

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
          <TextLink to="/webhooks/$subscriptionId" params={{ subscriptionId }} text="The subscription" />
        </>
      }
    >
      {ledger.days.length > 0 && (
        <LedgerTable rows={rowsOf(ledger.days, unfolded)} unfolded={unfolded} onUnfold={unfold} />
      )}
      {ledger.isReading && <Skeleton look="rows" />}
      {ledger.failure !== null && !(ledger.isEnd && oldest !== undefined) && (
        <ErrorNote failure={ledger.failure} onRetry={ledger.retry} />
      )}
      <div className="list-foot">
        {ledger.isEnd && oldest !== undefined ? (
          <p className="soft">The log begins on {dayText(oldest)}.</p>
        ) : (
          <TextLink
            to="/webhooks/$subscriptionId/ledger"
            params={{ subscriptionId }}
            search={({ days: _, ...rest }) => (dayCount === DAYS_MAX ? rest : { ...rest, days: DAYS_MAX })}
            resetScroll={false}
            text={`Show the last ${dayCount === DAYS_MAX ? DAYS_MIN : DAYS_MAX} days`}
          />
        )}
      </div>
      <BehindTheScreen
        operation="getLedger"
        input={{ query: { subscriptionId, day: unfolded ?? days[0] ?? "" } }}
      />
    </Screen>
  );
}

interface LedgerTableProps {
  readonly rows: readonly LedgerRow[];
  readonly unfolded: string | undefined;
  readonly onUnfold: (day: string) => void;
}

const NUMBERS: readonly Column<LedgerRow>[] = COUNTS.map((count) => ({
  name: count.charAt(0).toUpperCase() + count.slice(1),
  isNumber: true,
  cell: ({ counts }) => <Count value={counts[count]} />,
}));

function LedgerTable({ rows, unfolded, onUnfold }: LedgerTableProps) {
  const columns: readonly Column<LedgerRow>[] = [
    {
      name: "Day",
      cell: ({ type, day: { day, types } }) => {
        if (type !== null) return <span className="ledger-type">{EVENT_TYPES[type]}</span>;
        if (types.length === 0) return <span className="ledger-empty">{dayText(day)}</span>;
        return (
          <div className="ledger-day">
            <Button look="quiet" aria-expanded={day === unfolded} onClick={() => onUnfold(day)}>
              <Icon name="fold" />
              {dayText(day)}
            </Button>
          </div>
        );
      },
    },
    {
      name: "State",
      cell: ({ type, day: { closed } }) =>
        type === null && <Badge tone={closed ? "good" : "quiet"}>{closed ? "Closed" : "Open"}</Badge>,
    },
    ...NUMBERS,
    {
      name: "Digest",
      cell: ({ type, day: { day, digest } }) =>
        type === null && (
          <div className="ledger-digest">
            <code title={digest}>{digest.slice(0, 8)}…</code>
            <CopyButton text={digest} what={`the digest of ${dayText(day)}`} />
          </div>
        ),
    },
  ];
  return (
    <div className="ledger">
      <Table caption="Ledger" columns={columns} rows={rows} />
    </div>
  );
}

function Count({ value }: { readonly value: number }) {
  return <span className={value === 0 ? "soft" : undefined}>{number(value)}</span>;
}

const OPEN_MS = 30_000;
// A closed day changes only by a replay or a redelivery.
const CLOSED_MS = 10 * 60_000;

/**
 * Reads day by day, because the platform counts each day from its events. Returns the days that are read so far. `isEnd` is true if
 * the log does not go back further.
 */
function useLedger(subscriptionId: string, days: readonly string[]) {
  const [readCount, setReadCount] = useState(0);
  const reads = useQueries({
    queries: days.map((day, index) => ({
      ...readQuery("getLedger", { query: { subscriptionId, day } }),
      enabled: index <= readCount,
      staleTime: ({ state }: LedgerQuery) => (state.data?.data.closed ? CLOSED_MS : OPEN_MS),
      refetchInterval: ({ state }: LedgerQuery) => state.data?.data.closed === false && OPEN_MS,
    })),
  });
  const firstMissing = reads.findIndex(({ data }) => data === undefined);
  const count = firstMissing === -1 ? reads.length : firstMissing;
  if (count !== readCount) setReadCount(count);
  const missing = reads[firstMissing];
  const failure = (missing?.error ?? null) as Failure | null;
  return {
    days: reads.slice(0, count).flatMap(({ data }) => data?.data ?? []),
    isEnd: failure?.status === 404,
    failure,
    isReading: missing !== undefined && failure === null,
    retry: () => missing?.refetch(),
  };
}

interface LedgerQuery {
  readonly state: { readonly data: Reply<LedgerDay> | undefined };
}
