import type { QueryOf } from "@tradepost/client/operations";
import { given, nameIn, textOf } from "../../format/search-values.ts";
import { instantOf } from "../../format/time.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";

export type EventsSearch = ReturnType<typeof eventsSearch>;

/** `from` is inclusive and `to` is not. */
export function eventsSearch(search: Record<string, unknown>) {
  return given({
    search: textOf(search.search),
    type: nameIn(EVENT_TYPES, search.type),
    // As typed. The screen says so if it is not an id.
    resourceId: textOf(search.resourceId),
    from: instantOf(String(search.from)),
    to: instantOf(String(search.to)),
  });
}

export function queryOf({ from, to, ...same }: EventsSearch): QueryOf<"listWebhookEvents"> {
  return given({ ...same, createdAfter: from, createdBefore: to });
}
