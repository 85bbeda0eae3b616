// The message of a delivery on the broker. It has only what is needed to find the delivery and to recognise a stale message.
import { type OutgoingMessage, queueExchange } from "@tradepost/messaging";
import { z } from "zod";
import { decodeDeadLetterMessage } from "./dead-letter-message.ts";

const jobSchema = z.object({
  delivery_id: z.uuid(),
  tenant_id: z.uuid(),
  generation: z.int().positive(),
  attempt: z.int().positive(),
});

export interface Job {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly generation: number;
  /** The attempt to make, from 1. */
  readonly attempt: number;
}

export function decodeJob(content: Buffer): Job | null {
  try {
    const { delivery_id, tenant_id, generation, attempt } = jobSchema.parse(
      JSON.parse(content.toString("utf8")),
    );
    return { deliveryId: delivery_id, tenantId: tenant_id, generation, attempt };
  } catch {
    return null;
  }
}

/** Mandatory: if the queue does not exist, the message counts as not published. */
export function jobMessage(queue: string, job: Job): OutgoingMessage {
  return {
    exchange: queueExchange(queue),
    routingKey: queue,
    messageId: `${job.deliveryId}.${job.generation}.${job.attempt}`,
    type: "webhook.delivery",
    headers: { tenant_id: job.tenantId, attempt: job.attempt },
    mandatory: true,
    content: Buffer.from(
      JSON.stringify({
        delivery_id: job.deliveryId,
        tenant_id: job.tenantId,
        generation: job.generation,
        attempt: job.attempt,
      }),
    ),
  };
}

/** Returns why a message in webhooks.deliveries cannot be read, or null for a job or a dead letter moved by hand. */
export function deliveryMessageFault(content: Buffer): string | null {
  const isReadable = decodeJob(content) !== null || decodeDeadLetterMessage(content) !== null;
  return isReadable ? null : "not a delivery: delivery_id, tenant_id, generation and attempt are expected";
}
