// The entries that use files in a field of their draft or live version. A dialog names these entries before it deletes files.
import { Link } from "@tanstack/react-router";
import type { ItemOf } from "@tradepost/client/operations";
import { partsOf } from "../../data/bulk-run.ts";
import { useList } from "../../data/operations.ts";
import { counted, entryTitle } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { ConfirmMany } from "../../ui/bulk-dialogs.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { ErrorNote, Note } from "../../ui/note.tsx";
import { Section } from "../../ui/screen.tsx";
import { Badge } from "../../ui/value.tsx";
import type { Media } from "./door.tsx";

type Entry = ItemOf<"listEntries">;

export function UsedIn({ id }: Pick<Media, "id">) {
  const { entries, isLive, hasMore, error } = useUses([id]);
  const columns: Column<Entry>[] = [
    { name: "Entry", cell: (entry) => <EntryLink entry={entry} /> },
    { name: "Slug", cardLine: 2, cell: ({ slug }) => <code className="clamped">{slug}</code> },
    {
      name: "Version",
      cardLine: 1,
      cell: ({ id }) => (isLive(id) ? <Badge tone="good">Live</Badge> : <Badge tone="quiet">Draft</Badge>),
    },
  ];
  return (
    <Section
      title="Used in"
      intro="The entries with this file in a field. Links in their texts are not found."
    >
      {error && <ErrorNote failure={error} />}
      {entries?.length === 0 && <p className="soft">No entry uses this file.</p>}
      {entries !== undefined && entries.length > 0 && (
        <Table caption="Used in" columns={columns} rows={entries} />
      )}
      {hasMore && <p className="soft">More entries use it; these are the newest.</p>}
    </Section>
  );
}

const NAMED_MAX = 5;

function UsesNote({ ids }: { readonly ids: readonly string[] }) {
  const { entries, hasMore, error } = useUses(ids);
  if (error !== null) return <ErrorNote failure={error} />;
  if (entries === undefined || entries.length === 0) return null;
  const count = `${entries.length}${hasMore ? "+" : ""}`;
  return (
    <Note
      tone="warning"
      title={`${count === "1" ? "1 entry uses" : `${count} entries use`} ${ids.length === 1 ? "it" : "them"}`}
    >
      <p>An entry keeps the id of a deleted file, and shows nothing there.</p>
      <ul className="lines">
        {entries.slice(0, NAMED_MAX).map((entry) => (
          <li key={entry.id}>
            <EntryLink entry={entry} />
          </li>
        ))}
        {entries.length > NAMED_MAX && <li>…</li>}
      </ul>
    </Note>
  );
}

function EntryLink({ entry }: { readonly entry: Entry }) {
  return (
    <Link to="/entries/$entryId" params={{ entryId: entry.id }}>
      <bdi className="clamped">{entryTitle(entry)}</bdi>
    </Link>
  );
}

const LIMIT = 100;

/** `entries` is undefined until drafts and live versions are read. */
function useUses(ids: readonly string[]) {
  const query = { mediaId: [...ids], limit: LIMIT };
  const drafts = useList("listEntries", query);
  const live = useList("listEntries", { ...query, version: "published" });
  const all = drafts.items && live.items && [...live.items, ...drafts.items];
  return {
    entries: all && [...new Map(all.map((entry) => [entry.id, entry])).values()],
    isLive: (id: string) => live.items?.some((entry) => entry.id === id) ?? false,
    hasMore: drafts.hasNextPage || live.hasNextPage,
    error: drafts.error ?? live.error,
  };
}

interface DeleteMediaProps {
  readonly files: readonly Media[];
  readonly onClose: (doneCount: number) => void;
}

const IDS_MAX = 100;
const COLUMNS: readonly Column<Media>[] = [
  { name: "File", cell: ({ filename }) => <bdi className="clamped">{filename}</bdi> },
];

export function DeleteMedia({ files, onClose }: DeleteMediaProps) {
  return (
    <ConfirmMany
      action={`Delete ${counted(files.length, "file")}`}
      items={files}
      columns={COLUMNS}
      stale={["listMedia"]}
      send={({ id }, options) => request("deleteMedia", { path: { id } }, options)}
      done={`${counted(files.length, "file")} deleted.`}
      onClose={onClose}
    >
      {partsOf(files, IDS_MAX).map((part) => (
        <UsesNote key={part[0]?.id} ids={part.map(({ id }) => id)} />
      ))}
      <p>
        The files and their smaller versions are gone at once, and links to them end. This cannot be undone.
      </p>
    </ConfirmMany>
  );
}
