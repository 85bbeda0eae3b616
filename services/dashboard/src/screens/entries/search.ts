// The search parameters of the screens: the filters, the type of a new entry, and what is open on an entry's page. Pure.
import { given, nameIn, textOf } from "../../format/search-values.ts";
import { STATUS_TEXTS } from "./status.ts";

export interface EntriesSearch {
  readonly type?: string;
  readonly status?: keyof typeof STATUS_TEXTS;
  readonly locale?: string;
  readonly slug?: string;
}

const TYPE_CHARACTERS_MAX = 64;
const SLUG_CHARACTERS_MAX = 200;

export function entriesSearch({ type, status, locale, slug }: Record<string, unknown>): EntriesSearch {
  return given({
    type: typeOf(type),
    status: nameIn(STATUS_TEXTS, status),
    locale: textOf(locale),
    slug: textOf(slug)?.slice(0, SLUG_CHARACTERS_MAX),
  });
}

export interface NewEntrySearch {
  readonly type?: string;
}

export function newEntrySearch({ type }: Record<string, unknown>): NewEntrySearch {
  return given({ type: typeOf(type) });
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

function typeOf(value: unknown): string | undefined {
  return textOf(value)?.slice(0, TYPE_CHARACTERS_MAX);
}
