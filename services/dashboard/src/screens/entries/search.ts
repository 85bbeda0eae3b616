import { flagOf, oneOf, parameters, textOf, within } from "../../format/search-values.ts";
import { STATUS_TEXTS } from "./status.ts";

export const entriesSearch = parameters({
  search: textOf,
  type: textOf,
  status: oneOf(STATUS_TEXTS),
  locale: textOf,
});

export const newEntrySearch = parameters({ type: textOf });

const REVISION_MAX = 999_999_999;

/** `revision` is compared with the draft. */
export const entrySearch = parameters({ edit: flagOf, revision: within(1, REVISION_MAX) });
