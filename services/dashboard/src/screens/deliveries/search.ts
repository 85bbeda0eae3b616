import type { QueryOf } from "@tradepost/client/operations";
import { given, oneOf, PERIOD, parameters, textOf, uuidOf, within } from "../../format/search-values.ts";
import { DELIVERY_STATUSES, EVENT_TYPES, OUTCOMES } from "../../format/webhooks.ts";

export type DeliveriesSearch = ReturnType<typeof deliveriesSearch>;

/** `eventId` is as typed. The screen says so if it is not an id. */
export const deliveriesSearch = parameters({
  subscriptionId: uuidOf,
  status: oneOf(DELIVERY_STATUSES),
  type: oneOf(EVENT_TYPES),
  outcome: oneOf(OUTCOMES),
  statusCode: within(100, 999),
  eventId: textOf,
  ...PERIOD,
});

export function queryOf({ from, to, ...same }: DeliveriesSearch): QueryOf<"listDeliveries"> {
  return given({ ...same, createdAfter: from, createdBefore: to });
}
