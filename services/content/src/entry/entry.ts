// What an entry is, and where it stands: a draft, live, or to go live later (contract §5). Pure.
import type { EntryData } from "./entry-data.ts";

export const entryStatuses = ["draft", "scheduled", "published"] as const;
export type EntryStatus = (typeof entryStatuses)[number];

/** As the API shows it and events carry it. */
export interface Entry {
  readonly id: string;
  readonly type: string;
  readonly slug: string;
  readonly locale: string;
  readonly status: EntryStatus;
  readonly hasUnpublishedChanges: boolean;
  readonly revision: number;
  readonly publishedRevision: number | null;
  readonly publishedAt: Date | null;
  readonly publishAt: Date | null;
  /** Why publishing on time failed, where it did; it is tried again. */
  readonly scheduleError?: string;
  readonly data: EntryData;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface EntryState {
  readonly id: string;
  readonly type: string;
  readonly locale: string;
  /** Of the latest revision. */
  readonly slug: string;
  readonly revision: number;
  readonly published_revision: number | null;
  readonly published_at: Date | null;
  readonly publish_at: Date | null;
  readonly scheduled_revision: number | null;
  readonly schedule_error: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface Revision {
  readonly revision: number;
  readonly slug: string;
  readonly data: EntryData;
}

/** What is scheduled says so, live or not; what is neither is a draft. */
function statusOf({ publish_at, published_revision }: EntryState): EntryStatus {
  if (publish_at !== null) return "scheduled";
  return published_revision === null ? "draft" : "published";
}

/** In: where the entry stands, and the revision to show: the latest, the live one, or any other. */
export function entryOf(state: EntryState, shown: Revision): Entry {
  return {
    id: state.id,
    type: state.type,
    slug: shown.slug,
    locale: state.locale,
    status: statusOf(state),
    hasUnpublishedChanges: state.revision !== state.published_revision,
    revision: shown.revision,
    publishedRevision: state.published_revision,
    publishedAt: state.published_at,
    publishAt: state.publish_at,
    ...(state.schedule_error !== null && { scheduleError: state.schedule_error }),
    data: shown.data,
    createdAt: state.created_at,
    updatedAt: state.updated_at,
  };
}

/** Where an entry is on the site: in front the locale, unless it is the default one. */
export function entryPath({ type, locale, slug }: { type: string; locale: string; slug: string }): string {
  return `${locale === DEFAULT_LOCALE ? "" : `/${locale}`}/${type}/${slug}`;
}

export const DEFAULT_LOCALE = "en";
