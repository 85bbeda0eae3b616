// GET /v1/orders/events: the change feed of orders.
import { feedQuery } from "@tradepost/change-feed";
import { eventData } from "@tradepost/event-catalog";
import type { Orders } from "./context.ts";

export const eventsQuery = feedQuery(Object.keys(eventData).filter((type) => type.startsWith("order.")));

export function listEvents({ feed }: Orders): Orders["feed"]["list"] {
  return (request) => feed.list(request);
}
