// The search parameters of the screens: filters, the type of a new entry, and what is open on the page of one. Pure.

export type EntryStatus = "draft" | "scheduled" | "published";

export interface EntriesSearch {
  readonly type?: string;
  readonly status?: EntryStatus;
  readonly locale?: string;
  readonly slug?: string;
}

const TYPE_CHARACTERS_MAX = 64;
const SLUG_CHARACTERS_MAX = 200;
const LOCALE_CHARACTERS_MAX = 255;

export function entriesSearch(search: Record<string, unknown>): EntriesSearch {
  const { status } = search;
  const type = textOf(search.type, TYPE_CHARACTERS_MAX);
  const locale = textOf(search.locale, LOCALE_CHARACTERS_MAX);
  const slug = textOf(search.slug, SLUG_CHARACTERS_MAX);
  return {
    ...(type !== undefined && { type }),
    ...(isStatus(status) && { status }),
    ...(locale !== undefined && { locale }),
    ...(slug !== undefined && { slug }),
  };
}

export interface NewEntrySearch {
  readonly type?: string;
}

export function newEntrySearch(search: Record<string, unknown>): NewEntrySearch {
  const type = textOf(search.type, TYPE_CHARACTERS_MAX);
  return type === undefined ? {} : { type };
}

export interface EntrySearch {
  readonly edit?: true;
  /** The revision that is compared with the draft. */
  readonly revision?: number;
}

const REVISION_MAX = 999_999_999;

export function entrySearch({ edit, revision }: Record<string, unknown>): EntrySearch {
  const isNumber = Number.isInteger(revision) && Number(revision) > 0 && Number(revision) <= REVISION_MAX;
  return { ...(edit === true && { edit }), ...(isNumber && { revision: Number(revision) }) };
}

function isStatus(value: unknown): value is EntryStatus {
  return value === "draft" || value === "scheduled" || value === "published";
}

/** A text of digits only arrives as a number. */
function textOf(value: unknown, charactersMax: number): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value).trim();
  return text !== "" && text.length <= charactersMax ? text : undefined;
}
