// Who changed what, and when. Entries are never modified, and none has a secret.
import { Link, useSearch } from "@tanstack/react-router";
import { type Actors, useActors } from "../../data/use-actors.ts";
import { useList } from "../../data/use-list.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListView } from "../../ui/views.tsx";
import { AuditLogFilters } from "./audit-log-filters.tsx";
import { EntryTable } from "./entry-table.tsx";
import type { AuditLogSearch } from "./search.ts";

const PAGE = 50;

export default function AuditLog() {
  const search = useSearch({ from: "/app/audit-log" });
  const { from, to, ...same } = search;
  const query = {
    limit: PAGE,
    ...same,
    ...(from !== undefined && { after: from }),
    ...(to !== undefined && { before: to }),
  };
  const list = useList("listAuditLog", query);
  const actors = useActors();
  return (
    <Screen
      title="Audit log"
      intro="Sign-ins, and every change of staff, keys, modules and webhooks. Nobody can change or remove an entry. Orders and entries have a history of their own on their pages."
    >
      <AuditLogFilters actors={actors} />
      <ListView list={list} empty={<Nothing search={search} actors={actors} />}>
        {(entries) => <EntryTable entries={entries} actors={actors} />}
      </ListView>
      <BehindTheScreen operation="listAuditLog" input={{ query }} />
    </Screen>
  );
}

interface NothingProps {
  readonly search: AuditLogSearch;
  readonly actors: Actors;
}

function Nothing({ search: { actorId, ...search }, actors: { keys } }: NothingProps) {
  const isOnlyActor = actorId !== undefined && Object.keys(search).length === 0;
  const isKey = keys.some(({ id }) => id === actorId);
  return (
    <EmptyState title="No entry matches">
      {isOnlyActor ? (
        <p>
          Here are sign-ins, and changes of staff, keys and webhooks. See{" "}
          <Link to="/requests" search={isKey ? { keyId: actorId } : { userId: actorId }}>
            the requests of this {isKey ? "key" : "person"}
          </Link>
          , <AboutTarget id={actorId} />, or <All />.
        </p>
      ) : (
        <p>
          Choose a longer time or fewer filters, or see <All />.
        </p>
      )}
    </EmptyState>
  );
}

function AboutTarget({ id }: { readonly id: string }) {
  return (
    <Link to="/audit-log" search={{ targetId: id }}>
      what was done to it
    </Link>
  );
}

function All() {
  return <Link to="/audit-log">the whole log</Link>;
}
