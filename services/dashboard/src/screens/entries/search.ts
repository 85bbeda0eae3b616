import { flagOf, given, nameIn, textOf } from "../../format/search-values.ts";
import { STATUS_TEXTS } from "./status.ts";

const TYPE_CHARACTERS_MAX = 64;

export function entriesSearch({ search, type, status, locale }: Record<string, unknown>) {
  return given({
    search: textOf(search),
    type: typeOf(type),
    status: nameIn(STATUS_TEXTS, status),
    locale: textOf(locale),
  });
}

export function newEntrySearch({ type }: Record<string, unknown>) {
  return given({ type: typeOf(type) });
}

const REVISION_MAX = 999_999_999;

/** `revision` is compared with the draft. */
export function entrySearch({ edit, revision }: Record<string, unknown>) {
  const number = Number(revision);
  const isNumber = Number.isInteger(revision) && number > 0 && number <= REVISION_MAX;
  return given({ edit: flagOf(edit), revision: isNumber ? number : undefined });
}

function typeOf(value: unknown): string | undefined {
  return textOf(value)?.slice(0, TYPE_CHARACTERS_MAX);
}
