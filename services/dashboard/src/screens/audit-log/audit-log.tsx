// Who changed what, and when. Entries are never modified and never contain a secret.
import { Link, useSearch } from "@tanstack/react-router";
import { useList } from "../../data/operations.ts";
import { type Actors, actorOptions, useActors } from "../../data/use-names.ts";
import { given } from "../../format/search-values.ts";
import { optionsOf } from "../../format/words.ts";
import { TextLink } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { AddressFilters, InputFilter, PeriodFilter, SelectFilter } from "../../ui/filters.tsx";
import { EmptyState, ListView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Chain } from "./chain.tsx";
import { EntryTable } from "./entry-table.tsx";
import { type AuditLogSearch, auditLogSearch } from "./search.ts";
import { ACTIONS } from "./words.ts";

const PAGE = 100;

export default function AuditLog() {
  const search = useSearch({ from: "/app/audit-log" });
  const { from, to, ...same } = search;
  const query = given({ limit: PAGE, ...same, after: from, before: to });
  const list = useList("listAuditLog", query);
  const actors = useActors();
  return (
    <Screen
      title="Audit log"
      intro="Sign-ins, and every change of staff, keys, modules and webhooks. Nobody can change or remove an entry. Orders and entries have a history of their own on their pages."
      action={<ExportButton operation="exportAuditLog" query={{}} name="audit-log" />}
    >
      <Chain />
      <AddressFilters label="Filter the audit log" check={auditLogSearch}>
        <SelectFilter label="What" name="action" options={optionsOf(ACTIONS)} />
        <SelectFilter label="Who" name="actorId" options={actorOptions(actors)} />
        <InputFilter label="Target" name="targetId" placeholder="Its id" />
        <PeriodFilter type="datetime-local" />
      </AddressFilters>
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

function Nothing({ search: { actorId }, actors: { keys } }: NothingProps) {
  const isKey = keys.some(({ id }) => id === actorId);
  return (
    <EmptyState title="No entry matches">
      {actorId !== undefined && (
        <p>
          Here are sign-ins, and changes of staff, keys and webhooks. See{" "}
          <Link to="/requests" search={isKey ? { keyId: actorId } : { userId: actorId }}>
            the requests of this {isKey ? "key" : "person"}
          </Link>
          , or <TextLink to="/audit-log" search={{ targetId: actorId }} text="what was done to it" />.
        </p>
      )}
      <Link to="/audit-log">Show the whole log</Link>
    </EmptyState>
  );
}
