// GET /v1/content/events: the change feed of entries, content types, media and redirects.
import { feedQuery } from "@tradepost/change-feed";
import { eventData } from "@tradepost/event-catalog";
import type { Content } from "./context.ts";

const OF_THIS_SERVICE = /^(content|content_type|media|redirect)\./;

export const eventTypesOfFeed = Object.keys(eventData).filter((type) => OF_THIS_SERVICE.test(type));

export const eventsQuery = feedQuery(eventTypesOfFeed);

export function listEvents({ feed }: Content): Content["feed"]["list"] {
  return (request) => feed.list(request);
}
