import type { Publisher } from "@tradepost/messaging";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { type DeadLetterMessage, deadLetterMessage } from "./dead-letter-message.ts";

/**
 * Publishes a dead letter to `webhooks.dead`, where operators find it, and records that it was published. If the broker
 * does not confirm the message, nothing is recorded and the sweep publishes it again.
 */
export async function publishDeadLetter(
  pool: Pool,
  publisher: Publisher,
  dead: DeadLetterMessage,
): Promise<void> {
  const outcome = await publisher.publish(deadLetterMessage(dead));
  failPoint("dead-letter.published");
  if (outcome === "confirmed") {
    await pool.query(RECORD_PUBLISHED, [dead.tenantId, dead.deliveryId, dead.generation]);
  }
  failPoint("dead-letter.recorded");
}

const RECORD_PUBLISHED =
  "update dead_letters set published_at = now() where tenant_id = $1 and delivery_id = $2 and generation = $3";
