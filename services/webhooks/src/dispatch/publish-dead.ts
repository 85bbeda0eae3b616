// Lays a delivery that failed for good into `webhooks.dead`, where the operator finds it, and notes that it lies there.
import type { Publisher } from "@tradepost/messaging";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { type DeadDelivery, deadMessage } from "../delivery/dead-message.ts";

const NOTE_LAID =
  "update dead_letters set laid_at = now() where tenant_id = $1 and delivery_id = $2 and generation = $3";

/** Where the broker does not confirm, nothing is noted, and the sweep tries again. */
export async function publishDead(pool: Pool, publisher: Publisher, dead: DeadDelivery): Promise<void> {
  const outcome = await publisher.publish(deadMessage(dead));
  failPoint("dead.laid");
  if (outcome === "confirmed") await pool.query(NOTE_LAID, [dead.tenantId, dead.deliveryId, dead.generation]);
  failPoint("dead.noted");
}
