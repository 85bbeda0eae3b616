import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { LIVE_MS, useList, useRead } from "../../data/operations.ts";
import { number } from "../../format/shop.ts";
import { waitingText } from "../../format/webhooks.ts";
import { BarChart } from "../../ui/bar-chart.tsx";
import { TextLink } from "../../ui/button.tsx";
import { Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { type Column, ListView, ReadView, Table } from "../../ui/list.tsx";
import { Note } from "../../ui/note.tsx";
import { Progress } from "../../ui/progress.tsx";
import { BehindTheScreen, ReadOnly, Screen, Section } from "../../ui/screen.tsx";
import { Badge, ExactTime, Time } from "../../ui/value.tsx";
import { LatestDeliveries } from "../deliveries/door.tsx";
import { barsOf, figuresOf, lastDay } from "./attempts-statistics.ts";
import { INCLUDES, progressText, REPLAY_STATUSES, type Replay } from "./replay-draft.ts";
import { SubscriptionActions } from "./subscription-actions.tsx";
import { StateBadge, SubscriptionFacts } from "./subscription-facts.tsx";
import "./attempts-section.css";

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

// How the attempts at a subscription went in the last day.
const SERIES = [
  { name: "Succeeded", tone: "good" },
  { name: "Failed", tone: "danger" },
] as const;

function AttemptsSection({ subscriptionId }: { readonly subscriptionId: string }) {
  const query = { subscriptionId, by: "hour", ...lastDay(Date.now()) } as const;
  const read = useRead("getWebhookStatistics", { query }, { everyMs: LIVE_MS });
  return (
    <Section title="Attempts">
      <ReadView read={read}>
        {({ buckets, total }) => (
          <div className="attempt-statistics card">
            <dl>
              {Object.entries(figuresOf(total)).map(([name, figure]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="number">{figure}</dd>
                </div>
              ))}
            </dl>
            <BarChart
              label="Attempts by hour in the last 24 hours"
              unit="Hour"
              series={SERIES}
              bars={barsOf(buckets)}
            />
          </div>
        )}
      </ReadView>
    </Section>
  );
}

const SHOWN = 10;

const COLUMNS: readonly Column<Replay>[] = [
  {
    name: "Replay",
    cell: ({ id, subscriptionId, include }) => (
      <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }} search={{ replay: id }}>
        {INCLUDES[include].text}
      </Link>
    ),
  },
  {
    name: "Period",
    cell: ({ since, until }) => (
      <div>
        <ExactTime at={since} /> to <ExactTime at={until} />
      </div>
    ),
  },
  { name: "State", cell: ({ status }) => <Badge {...REPLAY_STATUSES[status]} /> },
  { name: "Matched", isNumber: true, cell: ({ matched }) => number(matched) },
  { name: "Queued", isNumber: true, cell: ({ requeued }) => number(requeued) },
  { name: "Skipped", isNumber: true, cell: ({ skipped }) => number(skipped) },
  { name: "Started", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function Replays({ subscriptionId }: { readonly subscriptionId: string }) {
  const list = useList("listReplays", { limit: SHOWN }, { path: { id: subscriptionId }, everyMs: LIVE_MS });
  return (
    <Section title="Replays">
      <ListView list={list} empty={<p className="soft">Nothing was replayed yet.</p>}>
        {(replays) => <Table caption="Replays" columns={COLUMNS} rows={replays} />}
      </ListView>
    </Section>
  );
}

const PROGRESS_MS = 1_000;

function ReplayProgress({ id, subscriptionId }: { readonly id: string; readonly subscriptionId: string }) {
  const read = useRead(
    "getReplay",
    { path: { id } },
    { everyMs: ({ status }) => status === "running" && PROGRESS_MS },
  );
  return (
    <Section
      title="Replay"
      action={<TextLink to="/webhooks/$subscriptionId" params={{ subscriptionId }} text="Hide" />}
    >
      <ReadView read={read}>{(replay) => <ReplayParts replay={replay} />}</ReadView>
    </Section>
  );
}

function ReplayParts({ replay }: { readonly replay: Replay }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { id, subscriptionId, include, since, until, status, matched, requeued } = replay;
  return (
    <>
      <p className="soft">
        {INCLUDES[include].text}, from <ExactTime at={since} /> to <ExactTime at={until} />
      </p>
      <Progress
        label={status === "cancelled" ? "Sent" : "Queued to be sent"}
        done={requeued}
        total={matched}
      />
      <p>
        <span role="status">{progressText(replay)}</span>{" "}
        {requeued > 0 && <TextLink to="/deliveries" search={{ subscriptionId }} text="See them arrive" />}
      </p>
      <div className="list-foot">
        <DialogButton text="Cancel the replay" isOffered={isAdmin && status !== "cancelled"}>
          <Confirm
            title="Cancel the replay?"
            action="Cancel the replay"
            otherwise="Go on sending"
            operation="cancelReplay"
            input={{ path: { id } }}
            stale={["getReplay", "listReplays", "listDeliveries", "getSubscription"]}
            done={(replay) =>
              replay.status === "cancelled" ? "The replay is cancelled." : "Everything was sent already."
            }
            text="What was not sent yet becomes what it was before, also if it is already queued. What was sent stays sent."
          />
        </DialogButton>
      </div>
    </>
  );
}
