import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useList, useRead } from "../../data/operations.ts";
import { wordsOf } from "../../format/words.ts";
import { TextLink } from "../../ui/button.tsx";
import { Confirm, DialogButton } from "../../ui/change-dialogs.tsx";
import { type Column, ListView, ReadView, Table } from "../../ui/list.tsx";
import { Section } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { isSameValue, type TypeField, valueIn } from "./field-values.ts";
import { type Entry, STALE } from "./status.ts";
import { Value } from "./value.tsx";

interface Version extends Pick<Entry, "slug" | "data"> {
  readonly name: string;
}

interface ComparisonProps {
  readonly caption: string;
  readonly fields: readonly TypeField[];
  readonly one: Version;
  /** If it is missing, only `one` is shown. */
  readonly other?: Version;
}

interface Row extends TypeField {
  readonly id: string;
}

const SLUG = "slug of the entry";

/** Differences are marked by a word, not only by colour. */
export function Comparison({ caption, fields, one, other }: ComparisonProps) {
  const shown = ({ slug, data }: Version, { id, key }: Row) => (id === SLUG ? slug : valueIn(data, key));
  const rows: Row[] = [
    ...fields.map((field) => ({ ...field, id: field.key })),
    { id: SLUG, key: "Slug", type: "text", required: true },
  ];
  const differs = (row: Row) => other !== undefined && !isSameValue(shown(one, row), shown(other, row));
  const side = (version: Version): Column<Row> => ({
    name: version.name,
    cell: (row) => <Value field={row} value={shown(version, row)} />,
  });
  const columns: Column<Row>[] = [
    {
      name: "Field",
      cell: (row) => (
        <span className="row">
          <span title={row.id === SLUG ? undefined : row.key}>{wordsOf(row.key)}</span>
          {differs(row) && <Badge tone="warning">Differs</Badge>}
        </span>
      ),
    },
    side(one),
    ...(other === undefined ? [] : [side(other)]),
  ];
  return (
    <div className="compared">
      <Table caption={caption} columns={columns} rows={rows} />
    </div>
  );
}

type Revision = DataOf<"listRevisions">[number];

export function Revisions({ entry }: { readonly entry: Entry }) {
  const list = useList("listRevisions", {}, { path: { id: entry.id } });
  const columns: Column<Revision & { readonly id: string }>[] = [
    {
      name: "Revision",
      cell: ({ revision }) => (
        <span className="row">
          <Link to="/entries/$entryId" params={{ entryId: entry.id }} search={{ revision }}>
            Revision {revision}
          </Link>
          {revision === entry.revision && <Badge tone="quiet">Draft</Badge>}
          {revision === entry.publishedRevision && <Badge tone="good">Live</Badge>}
        </span>
      ),
    },
    {
      name: "Who",
      cell: ({ actor }) => (
        <span className="lines">
          <bdi>{actor.name || <code>{actor.id}</code>}</bdi>
          {actor.type === "api_key" && <span className="soft">A program, by its key</span>}
        </span>
      ),
    },
    { name: "When", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Section title="Revisions" intro="Each saved change of the draft. Open one to compare it with the draft.">
      <ListView list={list} empty={null}>
        {(revisions) => (
          <Table
            caption="Revisions"
            columns={columns}
            rows={revisions.map((one) => ({ ...one, id: String(one.revision) }))}
          />
        )}
      </ListView>
    </Section>
  );
}

interface OldRevisionProps {
  readonly entry: Entry;
  readonly etag: string | undefined;
  readonly fields: readonly TypeField[];
  readonly number: number;
  readonly isEditor: boolean;
}

export function OldRevision({ entry, etag, fields, number, isEditor }: OldRevisionProps) {
  const read = useRead("getEntry", { path: { id: entry.id }, query: { version: number } });
  return (
    <Section
      title={`Revision ${number} and the draft`}
      action={
        <span className="row">
          <DialogButton text="Restore" isOffered={isEditor && number !== entry.revision && !!read.data}>
            <Confirm
              title={`Restore revision ${number}?`}
              action="Restore"
              look="primary"
              operation="restoreRevision"
              input={{ path: { id: entry.id, n: number }, ifMatch: etag }}
              stale={STALE}
              done={({ revision }) => `Revision ${number} is the draft again, as revision ${revision}.`}
              text={`The draft gets its slug and fields, as a new revision. Revision ${entry.revision} stays in the list, and nothing changes on the site.`}
            />
          </DialogButton>
          <TextLink to="/entries/$entryId" params={{ entryId: entry.id }} text="Close" />
        </span>
      }
    >
      <ReadView read={read}>
        {(old) => (
          <Comparison
            caption={`Revision ${number} and the draft`}
            fields={fields}
            one={{ ...old, name: `Revision ${number}` }}
            other={{ ...entry, name: `Draft (revision ${entry.revision})` }}
          />
        )}
      </ReadView>
    </Section>
  );
}
