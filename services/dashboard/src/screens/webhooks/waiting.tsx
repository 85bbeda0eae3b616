// The deliveries that wait while a subscription is paused.
import { Link } from "@tanstack/react-router";
import { useList } from "../../data/use-list.ts";
import { waitingText } from "../../format/webhooks.ts";
import { Note } from "../../ui/note.tsx";

const SHOWN_MAX = 100;
const LIVE_MS = 5_000;

export function Waiting({ subscriptionId }: { readonly subscriptionId: string }) {
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
