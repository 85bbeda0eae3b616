// Decodes an event from its message.
import { decodeEvent, type Event, type IncomingMessage } from "@tradepost/messaging";
import { isTraceparent } from "@tradepost/runtime";

/** An event with the trace of the request that caused it; null if its message has none. */
export interface ReceivedEvent extends Event {
  readonly traceparent: string | null;
}

/** Decodes a message. Returns the event, or why its body is not one. */
export function receivedEvent({
  content,
  headers,
}: Pick<IncomingMessage, "content" | "headers">): { event: ReceivedEvent } | { fault: string } {
  const decoded = decodeEvent(content);
  if ("fault" in decoded) return decoded;
  const { traceparent } = headers;
  const isTraced = typeof traceparent === "string" && isTraceparent(traceparent);
  return { event: { ...decoded.event, traceparent: isTraced ? traceparent : null } };
}
