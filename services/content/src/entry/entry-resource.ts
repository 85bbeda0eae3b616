// An entry as the API shows it, and its status (interface §5). Pure.
import type { entry } from "@tradepost/event-catalog";
import { type ApiResponse, created, etagOf, ok } from "@tradepost/http";
import type { Selectable } from "kysely";
import type { z } from "zod";
import type { Tables } from "../tables.ts";
import type { EntryData } from "./entry-data.ts";

type Shown = z.output<typeof entry>;

/** An entry as the API shows it, but with times as they are stored. */
export interface Entry
  extends Readonly<Omit<Shown, "data" | "publishedAt" | "publishAt" | "createdAt" | "updatedAt">> {
  readonly data: EntryData;
  readonly publishedAt: Date | null;
  readonly publishAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

type EntryState = Selectable<Tables["entries"]>;

export interface Revision {
  readonly revision: number;
  readonly slug: string;
  readonly data: EntryData;
}

/** An entry that is live and scheduled is `scheduled`. */
function statusOf({ publish_at, published_revision }: EntryState): Shown["status"] {
  if (publish_at !== null) return "scheduled";
  return published_revision === null ? "draft" : "published";
}

export function entryOf(state: EntryState, revision: Revision): Entry {
  return {
    id: state.id,
    type: state.type,
    slug: revision.slug,
    locale: state.locale,
    status: statusOf(state),
    hasUnpublishedChanges: state.revision !== state.published_revision,
    revision: revision.revision,
    publishedRevision: state.published_revision,
    publishedAt: state.published_at,
    publishAt: state.publish_at,
    ...(state.schedule_error !== null && { scheduleError: state.schedule_error }),
    data: revision.data,
    createdAt: state.created_at,
    updatedAt: state.updated_at,
    version: state.version,
  };
}

export function entryResponse(entry: Entry): ApiResponse {
  return ok(entry, { etag: etagOf(entry.version) });
}

export function createdEntryResponse(entry: Entry): ApiResponse {
  return created(entry, `/v1/entries/${entry.id}`, { etag: etagOf(entry.version) });
}

/** Begins with the locale, except for the default locale. */
export function entryPath({ type, locale, slug }: { type: string; locale: string; slug: string }): string {
  return `${locale === DEFAULT_LOCALE ? "" : `/${locale}`}/${type}/${slug}`;
}

export const DEFAULT_LOCALE = "en";
