import { decodeEvent, type Event, type IncomingMessage } from "@tradepost/messaging";
import { isTraceparent } from "@tradepost/runtime";

export interface ReceivedEvent extends Event {
  readonly traceparent: string | null;
}

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

/** Truncates the time to milliseconds: Postgres would round it, and a retry would show a different time from the first attempt. */
export function occurredAtOf(event: ReceivedEvent): string {
  return new Date(event.occurred_at).toISOString();
}
