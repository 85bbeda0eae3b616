import type { QueryOf } from "@tradepost/client/operations";
import { given, isUuid, nameIn, numberIn, textOf } from "../../format/search-values.ts";
import { instantOf } from "../../format/time.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, OUTCOMES } from "../../format/webhooks.ts";

export type DeliveriesSearch = ReturnType<typeof deliveriesSearch>;

/** `from` is inclusive and `to` is not. */
export function deliveriesSearch(search: Record<string, unknown>) {
  return given({
    subscriptionId: isUuid(search.subscriptionId) ? search.subscriptionId : undefined,
    status: nameIn(DELIVERY_STATUSES, search.status),
    type: nameIn(EVENT_TYPES, search.type),
    outcome: nameIn(OUTCOMES, search.outcome),
    statusCode: numberIn(100, 999, search.statusCode),
    // As typed. The screen says so if it is not an id.
    eventId: textOf(search.eventId),
    from: instantOf(String(search.from)),
    to: instantOf(String(search.to)),
  });
}

export function queryOf({ from, to, ...same }: DeliveriesSearch): QueryOf<"listDeliveries"> {
  return given({ ...same, createdAfter: from, createdBefore: to });
}
