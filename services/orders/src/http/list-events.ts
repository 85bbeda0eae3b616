// GET /v1/orders/events: the change feed of orders.
import { feedQuery } from "@tradepost/change-feed";
import { eventData } from "@tradepost/event-catalog";
import type { Orders } from "./context.ts";

/** The events of orders. */
export const eventTypesOfFeed = Object.keys(eventData).filter((type) => type.startsWith("order."));

export const eventsQuery = feedQuery(eventTypesOfFeed);

export function listEvents({ feed }: Orders): Orders["feed"]["list"] {
  return (request) => feed.list(request);
}
