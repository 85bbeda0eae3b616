import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { searchOf } from "../../format/search-values.ts";
import { entryTitle, optionsOf } from "../../format/words.ts";
import { Button, NameLink } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { AddressFilters, InputFilter, SelectFilter } from "../../ui/filters.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, ReadOnly, Screen } from "../../ui/screen.tsx";
import { Time } from "../../ui/value.tsx";
import { READ_ONLY, StatusBadge } from "./entry-status.tsx";
import { type Entry, STATUS_TEXTS } from "./status.ts";
import { NoTypes, useTypes } from "./value.tsx";
import "./entries.css";

const PAGE = 100;

export default function Entries() {
  const search = useSearch({ from: "/app/entries" });
  const navigate = useNavigate({ from: "/entries" });
  const { types, list: typeList } = useTypes();
  const isEditor = useIsAllowed({ role: "editor" });
  const { search: text, ...filters } = search;
  const query = { limit: PAGE, count: true, ...filters, ...searchOf(text) };
  const list = useLiveList("listEntries", query);
  useRefreshAt(
    (list.items ?? []).map(({ publishAt }) => publishAt),
    list.refetch,
  );
  const hasTypes = types.length > 0;
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Screen
      title="Entries"
      intro="What the site shows: each entry has a draft, and a live version once it is published."
      action={
        <>
          <ExportButton operation="exportEntries" query={{ ...filters, ...searchOf(text) }} name="entries" />
          {isEditor && hasTypes && (
            <Button
              text="New entry"
              icon="plus"
              look="primary"
              onClick={() =>
                navigate({ to: "/entries/new", search: search.type ? { type: search.type } : {} })
              }
            />
          )}
        </>
      }
    >
      <ReadOnly {...READ_ONLY} />
      {(hasTypes || isFiltered) && (
        <AddressFilters label="Filter entries">
          <InputFilter label="Title or slug" name="search" />
          <SelectFilter
            label="Type"
            name="type"
            options={types.map(({ slug, name }) => ({ value: slug, text: name }))}
          />
          <SelectFilter label="Status" name="status" options={optionsOf(STATUS_TEXTS)} />
          <InputFilter label="Locale" name="locale" placeholder="en" />
        </AddressFilters>
      )}
      <ListView
        list={list}
        nouns={{ one: "entry", many: "entries" }}
        empty={<Nothing isFiltered={isFiltered} hasTypes={hasTypes || typeList.items === undefined} />}
      >
        {(entries) => <EntryTable entries={entries} />}
      </ListView>
      <BehindTheScreen operation="listEntries" input={{ query }} />
    </Screen>
  );
}

function EntryTable({ entries }: { readonly entries: readonly Entry[] }) {
  const { nameOf } = useTypes();
  const columns: Column<Entry>[] = [
    {
      name: "Entry",
      cell: (entry) => (
        <div className="lines lines-pair">
          <NameLink to="/entries/$entryId" params={{ entryId: entry.id }} name={entryTitle(entry)} />
          <code className="soft clamped">{entry.slug}</code>
        </div>
      ),
    },
    { name: "Type", isMinor: true, cell: ({ type }) => nameOf(type) },
    { name: "Locale", cardLine: 2, cell: ({ locale }) => <code>{locale}</code> },
    { name: "Status", cardLine: 2, cell: (entry) => <StatusBadge entry={entry} /> },
    { name: "Updated", cardLine: 1, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
  return <Table caption="Entries" columns={columns} rows={entries} />;
}

function Nothing({ isFiltered, hasTypes }: { readonly isFiltered: boolean; readonly hasTypes: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No entry matches">
        <p>
          The locale has to be exact. Use fewer filters, or see <Link to="/entries">all entries</Link>.
        </p>
      </EmptyState>
    );
  if (!hasTypes) return <NoTypes title="No entries yet" />;
  return (
    <EmptyState title="No entries yet">
      <p>
        <Link to="/entries/new">Write the first one</Link>. It stays a draft until you publish it.
      </p>
    </EmptyState>
  );
}
