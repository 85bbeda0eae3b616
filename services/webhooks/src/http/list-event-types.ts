// GET /v1/webhooks/event-types: the subscribable event types, each with the schema of its data and an example.
import { eventData, eventTypes, plainSchemaOf } from "@tradepost/event-catalog";
import { type ApiResponse, listed } from "@tradepost/http";

const items = eventTypes
  .filter(({ subscribable }) => subscribable)
  .map(({ type, description }) => {
    const { schema, example } = eventData[type] ?? {};
    return { type, description, schema: schema && plainSchemaOf(schema), example };
  });

export function listEventTypes(): ApiResponse {
  return listed({ items, nextCursor: null });
}
