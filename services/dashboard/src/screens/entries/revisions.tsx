// The history of an entry: the author and time of each revision, its differences from the draft, and how to restore it.

import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useList } from "../../data/use-list.ts";
import { useRead } from "../../data/use-read.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ListView, ReadView } from "../../ui/views.tsx";
import { Comparison } from "./comparison.tsx";
import type { TypeField } from "./field-values.ts";
import { type Entry, STALE } from "./status.ts";

type Revision = DataOf<"listRevisions">[number];

export function Revisions({ entry }: { readonly entry: Entry }) {
  const list = useList("listRevisions", {}, { path: { id: entry.id } });
  const columns: Column<Revision & { readonly id: string }>[] = [
    {
      name: "Revision",
      isHeading: true,
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

/** A revision compared with the draft. */
export function OldRevision({ entry, etag, fields, number, isEditor }: OldRevisionProps) {
  const [isAsking, setAsking] = useState(false);
  const read = useRead("getEntry", { path: { id: entry.id }, query: { version: number } });
  return (
    <Section
      title={`Revision ${number} and the draft`}
      action={
        <span className="row">
          {isEditor && number !== entry.revision && read.data && (
            <Button onClick={() => setAsking(true)}>Restore</Button>
          )}
          <Link to="/entries/$entryId" params={{ entryId: entry.id }}>
            Close
          </Link>
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
      {isAsking && (
        <Confirm
          title={`Restore revision ${number}?`}
          action="Restore"
          look="primary"
          operation="restoreRevision"
          input={{ path: { id: entry.id, n: number }, ifMatch: etag }}
          stale={STALE}
          done={({ revision }) => `Revision ${number} is the draft again, as revision ${revision}.`}
          onClose={() => setAsking(false)}
        >
          <p>
            The draft gets its slug and fields, as a new revision. Revision {entry.revision} stays in the
            list, and nothing changes on the site.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
