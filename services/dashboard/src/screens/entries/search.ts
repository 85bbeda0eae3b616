import { flagOf, given, nameIn, numberIn, textOf } from "../../format/search-values.ts";
import { STATUS_TEXTS } from "./status.ts";

export function entriesSearch({ search, type, status, locale }: Record<string, unknown>) {
  return given({
    search: textOf(search),
    type: textOf(type),
    status: nameIn(STATUS_TEXTS, status),
    locale: textOf(locale),
  });
}

export function newEntrySearch({ type }: Record<string, unknown>) {
  return given({ type: textOf(type) });
}

const REVISION_MAX = 999_999_999;

/** `revision` is compared with the draft. */
export function entrySearch({ edit, revision }: Record<string, unknown>) {
  return given({ edit: flagOf(edit), revision: numberIn(1, REVISION_MAX, revision) });
}
