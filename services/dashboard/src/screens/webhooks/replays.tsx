// The replays of a subscription, newest first.
import { Link } from "@tanstack/react-router";
import { useList } from "../../data/use-list.ts";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ExactTime, Time } from "../../ui/time.tsx";
import { ListView } from "../../ui/views.tsx";
import { INCLUDES, REPLAY_STATUSES, type Replay } from "./replay-draft.ts";

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
  {
    name: "State",
    cell: ({ status }) => <Badge tone={REPLAY_STATUSES[status].tone}>{REPLAY_STATUSES[status].text}</Badge>,
  },
  { name: "Matched", isNumber: true, cell: ({ matched }) => matched.toLocaleString("en") },
  { name: "Queued", isNumber: true, cell: ({ requeued }) => requeued.toLocaleString("en") },
  { name: "Skipped", isNumber: true, cell: ({ skipped }) => skipped.toLocaleString("en") },
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
