// Lays a delivery that failed for good into `webhooks.dead`, where the operator finds it, and notes that it lies there.
import type { Publisher } from "@tradepost/messaging";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { type DeadLetterMessage, deadLetterMessage } from "../delivery/dead-letter-message.ts";

const RECORD_PUBLISHED =
  "update dead_letters set published_at = now() where tenant_id = $1 and delivery_id = $2 and generation = $3";

/** Where the broker does not confirm, nothing is noted, and the sweep tries again. */
export async function publishDeadLetter(
  pool: Pool,
  publisher: Publisher,
  dead: DeadLetterMessage,
): Promise<void> {
  const outcome = await publisher.publish(deadLetterMessage(dead));
  failPoint("dead-letter.published");
  if (outcome === "confirmed")
    await pool.query(RECORD_PUBLISHED, [dead.tenantId, dead.deliveryId, dead.generation]);
  failPoint("dead-letter.recorded");
}
