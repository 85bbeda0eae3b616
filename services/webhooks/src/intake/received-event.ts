import { thinDataOf } from "@tradepost/event-catalog";
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { decodeEvent, type Event, type IncomingMessage } from "@tradepost/messaging";
import { isTraceparent } from "@tradepost/runtime";

export interface ReceivedEvent extends Event {
  readonly traceparent: string | null;
}

/** Keeps of an order's event only what identifies the order, so that no person is stored here (interface §24). */
export function receivedEvent({
  content,
  headers,
}: Pick<IncomingMessage, "content" | "headers">): { event: ReceivedEvent } | { fault: string } {
  const decoded = decodeEvent(content);
  if ("fault" in decoded) return decoded;
  const { traceparent } = headers;
  const isTraced = typeof traceparent === "string" && isTraceparent(traceparent);
  const { event } = decoded;
  const data = isOfOrders(event.type) ? thinDataOf(event.data) : event.data;
  return { event: { ...event, data, traceparent: isTraced ? traceparent : null } };
}

/** Truncated to milliseconds: Postgres would round, and a retry would show another time than the first attempt. */
export function occurredAtOf(event: ReceivedEvent): string {
  return new Date(event.occurred_at).toISOString();
}
