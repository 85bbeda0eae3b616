// Describes the change feed of this service (interface §10). Pure.
import { feedEvents } from "@tradepost/event-catalog";
import { type About, feed } from "@tradepost/http";
import { eventTypesOfFeed } from "../list-events.ts";

export const contentEventsAbout = {
  id: "listContentEvents",
  tag: "Change feeds",
  summary: "Read the change feed of content",
  description:
    "Lists every event of entries, content types, media and redirects, in an order in which a reader misses nothing. An event may be read again. Events are kept for 30 days unless the operator has set another time; an older cursor is 410 `cursor_expired`.",
  responses: { 200: feed(feedEvents(eventTypesOfFeed)) },
  errors: ["cursor_expired"],
} satisfies About;
