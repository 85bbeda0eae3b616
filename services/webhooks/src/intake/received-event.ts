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
