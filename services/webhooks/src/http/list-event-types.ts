// GET /v1/webhooks/event-types: what can be subscribed to, with what each event's data looks like.
import { eventData, eventTypes } from "@tradepost/event-catalog";
import { type ApiResponse, listed } from "@tradepost/http";
import { z } from "zod";

const items = eventTypes
  .filter(({ subscribable }) => subscribable)
  .map(({ type, description }) => {
    const { schema, example } = eventData[type] ?? {};
    return { type, description, schema: schema && z.toJSONSchema(schema), example };
  });

export function listEventTypes(): ApiResponse {
  return listed({ items, nextCursor: null });
}
