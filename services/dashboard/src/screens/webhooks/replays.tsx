import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { number } from "../../format/shop.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Section } from "../../ui/screen.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ExactTime, Time } from "../../ui/time.tsx";
import { ListView, ReadView } from "../../ui/views.tsx";
import { INCLUDES, progressText, REPLAY_STATUSES, type Replay } from "./replay-draft.ts";

const SHOWN = 10;
const LIVE_MS = 5_000;

const COLUMNS: readonly Column<Replay>[] = [
  {
    name: "Replay",
    isHeading: true,
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

export function Replays({ subscriptionId }: { readonly subscriptionId: string }) {
  const list = useList("listReplays", { limit: SHOWN }, { path: { id: subscriptionId }, everyMs: LIVE_MS });
  return (
    <Section title="Replays">
      <ListView list={list} empty={<p className="soft">Nothing was replayed yet.</p>}>
        {(replays) => <Table caption="Replays" columns={COLUMNS} rows={replays} />}
      </ListView>
    </Section>
  );
}

interface ReplayProgressProps {
  readonly id: string;
  readonly subscriptionId: string;
}

const PROGRESS_MS = 1_000;

export function ReplayProgress({ id, subscriptionId }: ReplayProgressProps) {
  const read = useRead(
    "getReplay",
    { path: { id } },
    { everyMs: ({ status }) => status === "running" && PROGRESS_MS },
  );
  return (
    <Section
      title="Replay"
      action={
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }}>
          Hide
        </Link>
      }
    >
      <ReadView read={read}>{(replay) => <ReplayParts replay={replay} />}</ReadView>
    </Section>
  );
}

function ReplayParts({ replay }: { readonly replay: Replay }) {
  const [isCancelling, setCancelling] = useState(false);
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
        {requeued > 0 && (
          <Link to="/deliveries" search={{ subscriptionId }}>
            See them arrive
          </Link>
        )}
      </p>
      {isAdmin && status !== "cancelled" && (
        <div>
          <Button text="Cancel the replay" onClick={() => setCancelling(true)} />
        </div>
      )}
      {isCancelling && (
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
          onClose={() => setCancelling(false)}
        >
          <p>
            What was not sent yet becomes what it was before, also if it is already queued. What was sent
            stays sent.
          </p>
        </Confirm>
      )}
    </>
  );
}
