// The listeners, below the subscriptions: receivers that fetch their deliveries, such as `tradepost listen` and the Console.
import type { ItemOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { Section } from "../../ui/screen.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { EventTags } from "./event-tags.tsx";

type Listener = ItemOf<"listListeners">;

/** Nothing is shown without listeners. */
export function Listeners({ everyMs }: { readonly everyMs: number }) {
  const { items = [] } = useList("listListeners", { limit: 100 }, { everyMs });
  const isEditor = useIsAllowed({ role: "editor" });
  const [deleted, setDeleted] = useState<Listener | null>(null);
  if (items.length === 0) return null;
  const actions: Column<Listener> = {
    name: "Actions",
    isActions: true,
    cell: (listener) => (
      <Button look="quiet" onClick={() => setDeleted(listener)} about={`the listener ${listener.name}`}>
        Delete
      </Button>
    ),
  };
  return (
    <Section title="Listeners" intro="They have no URL: a program fetches the deliveries.">
      <Table caption="Listeners" columns={isEditor ? [...COLUMNS, actions] : COLUMNS} rows={items} />
      {deleted && (
        <Confirm
          title={`Delete “${deleted.name}”?`}
          action="Delete listener"
          operation="deleteListener"
          input={{ path: { id: deleted.id } }}
          stale={["listListeners", "listDeliveries"]}
          done={`“${deleted.name}” is deleted.`}
          onClose={() => setDeleted(null)}
        >
          <p>
            A program that uses it ends, and what waits for it is cancelled. The log keeps what was fetched.
          </p>
        </Confirm>
      )}
    </Section>
  );
}

const COLUMNS: readonly Column<Listener>[] = [
  {
    name: "Listener",
    isHeading: true,
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
