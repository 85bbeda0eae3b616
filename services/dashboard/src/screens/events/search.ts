import type { QueryOf } from "@tradepost/client/operations";
import { given, oneOf, PERIOD, parameters, textOf } from "../../format/search-values.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";

export type EventsSearch = ReturnType<typeof eventsSearch>;

/** `resourceId` is as typed. The screen says so if it is not an id. */
export const eventsSearch = parameters({
  search: textOf,
  type: oneOf(EVENT_TYPES),
  resourceId: textOf,
  ...PERIOD,
});

export function queryOf({ from, to, ...same }: EventsSearch): QueryOf<"listWebhookEvents"> {
  return given({ ...same, createdAfter: from, createdBefore: to });
}
