// Identifies a message in a poison queue, and finds its origin and the reason.
import { auditEntryFault } from "@tradepost/gateway/operate";
import { decodeEvent, type QueuedMessage } from "@tradepost/messaging";
import { deliveryMessageFault } from "@tradepost/webhooks/operate";

export const POISON_QUEUES = ["webhooks.poison", "gateway.audit.poison", "content.poison"] as const;

export interface PoisonMessage {
  /** The poison queue. */
  readonly queue: string;
  /** The queue that it came from; null if somebody published it to the poison queue. */
  readonly source: string | null;
  readonly at: string | null;
  readonly reason: string;
  readonly messageId: string | null;
}

/** An entry of the x-death header, which the broker adds to a message that it dead-letters. The latest is first. */
interface Death {
  readonly queue?: string;
  readonly reason?: string;
  readonly time?: { readonly value?: number };
}

export function describePoison(queue: string, { content, properties }: QueuedMessage): PoisonMessage {
  const [death] = (properties.headers?.["x-death"] ?? []) as Death[];
  const seconds = death?.time?.value;
  const source = death?.queue ?? null;
  return {
    queue,
    source,
    at: seconds === undefined ? null : new Date(seconds * 1000).toISOString(),
    reason: reasonOf(source, death?.reason, content),
    messageId: (properties.messageId as string | undefined) ?? null,
  };
}

function reasonOf(source: string | null, deathReason: string | undefined, content: Buffer): string {
  if (deathReason === "delivery_limit") return "delivery limit exceeded";
  const fault = faultOf(source, content);
  if (fault !== null) return fault;
  if (source === null) return "published to this queue directly";
  // The message can be read. An earlier version of the consumer may not have been able to.
  return source === "gateway.audit"
    ? "its tenant did not exist"
    : "the consumer rejected it; it can be read now";
}

/** Returns why the consumer of a queue cannot read a message, or null if it can. */
function faultOf(source: string | null, content: Buffer): string | null {
  if (source === "webhooks.deliveries") return deliveryMessageFault(content);
  if (source === "gateway.audit") return auditEntryFault(content);
  const decoded = decodeEvent(content);
  return "fault" in decoded ? decoded.fault : null;
}
