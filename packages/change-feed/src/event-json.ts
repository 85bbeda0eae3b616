// The response of a feed as JSON text. The data of an event is copied as it is stored, so its numbers keep their digits and
// its fields their order. Pure.
import type { FeedEvent } from "./read-feed.ts";

/** The events, and the cursor to go on with. */
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
