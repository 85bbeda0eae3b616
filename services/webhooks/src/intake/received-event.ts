// An event as its message has it, and the resource that it is about.
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns null if the first field of the data has no UUID as its `id`. */
export function resourceIdOf(data: Readonly<Record<string, unknown>>): string | null {
  const [resource] = Object.values(data);
  if (typeof resource !== "object" || resource === null || !("id" in resource)) return null;
  const { id } = resource;
  return typeof id === "string" && UUID.test(id) ? id : null;
}
