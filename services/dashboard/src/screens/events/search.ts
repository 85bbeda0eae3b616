// The filters of the events, which are in the address. Pure.
import type { QueryOf } from "@tradepost/client/operations";
import { instantOf } from "../../format/local-time.ts";
import { given, nameIn, textOf } from "../../format/search-values.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

export interface EventsSearch {
  readonly type?: EventType;
  /** The text as typed. The screen says so if it is not an id. */
  readonly resourceId?: string;
  readonly from?: string;
  readonly to?: string;
}

export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  return given({
    type: nameIn(EVENT_TYPES, search.type),
    resourceId: textOf(search.resourceId),
    from: instantOf(String(search.from)),
    to: instantOf(String(search.to)),
  });
}

export function queryOf({ from, to, ...same }: EventsSearch): QueryOf<"listWebhookEvents"> {
  return given({ ...same, createdAfter: from, createdBefore: to });
}
