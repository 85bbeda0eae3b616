// Lays a delivery that failed for good into `webhooks.dead`, where the operator finds it, and notes that it lies there.
import type { Publisher } from "@tradepost/messaging";
import type { Pool } from "pg";
import { DEAD_QUEUE } from "../topology.ts";

export interface DeadDelivery {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  /** The last attempt's outcome. */
  readonly reason: string;
  readonly failedAt: Date;
}

const NOTE_LAID =
  "update dead_letters set laid_at = now() where tenant_id = $1 and delivery_id = $2 and generation = $3";

/** Where the broker does not confirm, nothing is noted, and the sweep tries again. */
export async function publishDead(pool: Pool, publisher: Publisher, dead: DeadDelivery): Promise<void> {
  const outcome = await publisher.publish({
    exchange: "",
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
  });
  if (outcome === "confirmed") await pool.query(NOTE_LAID, [dead.tenantId, dead.deliveryId, dead.generation]);
}
