import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { useIsAllowed } from "../../data/me.ts";
import { useRead } from "../../data/operations.ts";
import { useRefreshAt } from "../../data/use-refresh-at.ts";
import { entryTitle } from "../../format/words.ts";
import { TextLink } from "../../ui/button.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { ReadView } from "../../ui/list.tsx";
import { BehindTheScreen, Facts, ReadOnly, Screen, Section } from "../../ui/screen.tsx";
import { Time } from "../../ui/value.tsx";
import { EditForm } from "./edit-form.tsx";
import { EntryActions } from "./entry-actions.tsx";
import { READ_ONLY, ScheduleNote, StatusBadge } from "./entry-status.tsx";
import type { Entry as Known } from "./status.ts";
import { Comparison, OldRevision, Revisions } from "./versions.tsx";

const WATCH_MS = 15_000;

export default function Entry() {
  const { entryId } = useParams({ from: "/app/entries/$entryId" });
  const input = { path: { id: entryId } };
  const read = useRead("getEntry", input, {
    everyMs: ({ status }) => (status === "scheduled" ? WATCH_MS : false),
  });
  useRefreshAt([read.data?.publishAt ?? null], read.refetch);
  if (read.data === undefined)
    return (
      <Screen title="Entry">
        <ReadView read={read}>{() => null}</ReadView>
      </Screen>
    );
  return <WithType key={entryId} entry={read.data} etag={read.etag} />;
}

interface VersionProps {
  readonly entry: Known;
  readonly etag: string | undefined;
}

function WithType({ entry, etag }: VersionProps) {
  const read = useRead("getContentType", { path: { slug: entry.type } });
  return (
    <Screen title={entryTitle(entry)} intro={<StatusBadge entry={entry} />}>
      <ReadView read={read}>{(type) => <Details entry={entry} etag={etag} type={type} />}</ReadView>
      <BehindTheScreen operation="getEntry" input={{ path: { id: entry.id } }} />
    </Screen>
  );
}

interface DetailsProps extends VersionProps {
  readonly type: DataOf<"getContentType">;
}

function Details({ entry, etag, type }: DetailsProps) {
  const { edit, revision } = useSearch({ from: "/app/entries/$entryId" });
  const navigate = useNavigate({ from: "/entries/$entryId" });
  const [obstacle, setObstacle] = useState<Failure | null>(null);
  const isEditor = useIsAllowed({ role: "editor" });
  const { fields } = type;
  const openForm = (reason: Failure | null) => {
    setObstacle(reason);
    void navigate({ search: { edit: true } });
  };
  if (edit === true && isEditor)
    return (
      <Section title="Edit the draft" intro="Saving does not publish.">
        <div className="entry-form">
          <EditForm
            entry={entry}
            etag={etag}
            fields={fields}
            obstacle={obstacle}
            onClose={() => {
              setObstacle(null);
              void navigate({ search: {} });
            }}
          />
        </div>
      </Section>
    );
  return (
    <>
      {isEditor ? <EntryActions entry={entry} etag={etag} onEdit={openForm} /> : <ReadOnly {...READ_ONLY} />}
      <ScheduleNote entry={entry} />
      {revision === undefined ? (
        <DraftAndLive entry={entry} type={type} />
      ) : (
        <OldRevision entry={entry} etag={etag} fields={fields} number={revision} isEditor={isEditor} />
      )}
      <About entry={entry} type={type} />
      <Revisions entry={entry} />
    </>
  );
}

function DraftAndLive({ entry, type: { fields } }: Omit<DetailsProps, "etag">) {
  const draft = { ...entry, name: `Draft (revision ${entry.revision})` };
  const isBoth = entry.publishedRevision !== null && entry.hasUnpublishedChanges;
  const published = { path: { id: entry.id }, query: { version: "published" } } as const;
  const live = useRead("getEntry", published, { isAllowed: isBoth });
  if (entry.publishedRevision === null)
    return (
      <Section title="Draft" intro="Nothing of it is live.">
        <Comparison caption="Draft" fields={fields} one={draft} />
      </Section>
    );
  if (!entry.hasUnpublishedChanges)
    return (
      <Section title="Draft and live" intro="Both are the same.">
        <Comparison caption="Draft and live" fields={fields} one={{ ...draft, name: "Draft and live" }} />
      </Section>
    );
  return (
    <Section title="Draft and live" intro="What differs goes live when you publish.">
      <ReadView read={live}>
        {(known) => (
          <Comparison
            caption="Draft and live"
            fields={fields}
            one={draft}
            other={{ ...known, name: `Live (revision ${known.revision})` }}
          />
        )}
      </ReadView>
    </Section>
  );
}

function About({ entry, type }: Omit<DetailsProps, "etag">) {
  return (
    <Facts
      label="About the entry"
      of={{
        Type: <TextLink to="/content-types/$slug" params={{ slug: entry.type }} text={type.name} />,
        Locale: <code>{entry.locale}</code>,
        "Live since": entry.publishedAt && <Time at={entry.publishedAt} />,
        Updated: <Time at={entry.updatedAt} />,
        Created: <Time at={entry.createdAt} />,
        Id: <CopiedId id={entry.id} what="entry id" />,
      }}
    />
  );
}
