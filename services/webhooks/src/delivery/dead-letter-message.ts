// The message in `webhooks.dead` for a delivery that failed for good, as operators see it.
import { type OutgoingMessage, type Publisher, queueExchange } from "@tradepost/messaging";
import { toStatement } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import { sql } from "kysely";
import type { Pool } from "pg";
import { z } from "zod";
import { DEAD_QUEUE } from "../topology.ts";

export interface DeadLetterMessage {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  readonly reason: string;
  readonly failedAt: Date;
}

const schema = z.object({
  delivery_id: z.uuid(),
  tenant_id: z.uuid(),
  generation: z.int().positive(),
  failed_at: z.string(),
});

function deadLetterMessage(dead: DeadLetterMessage): OutgoingMessage {
  return {
    exchange: queueExchange(DEAD_QUEUE),
    routingKey: DEAD_QUEUE,
    messageId: `${dead.deliveryId}.${dead.generation}.dead`,
    type: "webhook.dead",
    headers: { tenant_id: dead.tenantId, reason: dead.reason },
    mandatory: true,
    content: Buffer.from(
      JSON.stringify({
        delivery_id: dead.deliveryId,
        tenant_id: dead.tenantId,
        subscription_id: dead.subscriptionId,
        event_id: dead.eventId,
        type: dead.type,
        generation: dead.generation,
        attempts: dead.attempt,
        reason: dead.reason,
        failed_at: dead.failedAt.toISOString(),
      }),
    ),
  };
}

export function decodeDeadLetterMessage(
  content: Buffer,
): { deliveryId: string; tenantId: string; generation: number } | null {
  try {
    const { delivery_id, tenant_id, generation } = schema.parse(JSON.parse(content.toString("utf8")));
    return { deliveryId: delivery_id, tenantId: tenant_id, generation };
  } catch {
    return null;
  }
}

/** Publishes a dead letter, and records that. If the broker does not confirm it, the sweep publishes it again. */
export async function publishDeadLetter(
  pool: Pool,
  publisher: Publisher,
  dead: DeadLetterMessage,
): Promise<void> {
  const outcome = await publisher.publish(deadLetterMessage(dead));
  failPoint("dead-letter.published");
  if (outcome === "confirmed")
    await pool.query(
      toStatement(sql`
        update dead_letters set published_at = now()
         where tenant_id = ${dead.tenantId} and delivery_id = ${dead.deliveryId} and generation = ${dead.generation}`),
    );
  failPoint("dead-letter.recorded");
}
