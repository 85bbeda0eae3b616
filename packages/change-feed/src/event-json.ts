// Writes the response of a feed as JSON text. An event's data is copied as it is stored, so numbers keep their digits and fields
// their order. Pure.
import type { FeedEvent } from "./read-feed.ts";

/** Returns the response body: the events and the `page` object with the next cursor (interface §10). */
export function feedJson(
  events: readonly FeedEvent[],
  page: { readonly nextCursor: string; readonly hasMore: boolean },
): string {
  return `{"success":true,"data":[${events.map(eventJson).join(",")}],"page":${JSON.stringify(page)}}`;
}

function eventJson({ eventId, type, occurredAt, requestId, actor, data }: FeedEvent): string {
  const head = JSON.stringify({ id: eventId, type, occurredAt, requestId });
  return `${head.slice(0, -1)},"actor":${actor},"data":${data}}`;
}
