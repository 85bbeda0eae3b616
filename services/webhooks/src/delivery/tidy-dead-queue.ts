// Makes the queue `webhooks.dead` agree with the database after a redrive or a purge: takes out every message whose
// delivery is dead no longer. Safe to run at any time, and again.
import { siftQueue } from "@tradepost/messaging";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { DEAD_QUEUE } from "../topology.ts";
import { decodeDeadLetterMessage } from "./dead-letter-message.ts";

/** Out: how many messages were taken out. Throws where the broker cannot be reached. */
export async function tidyDeadQueue(db: Kysely<Tables>, amqpUrl: string): Promise<number> {
  return await siftQueue({
    url: amqpUrl,
    queue: DEAD_QUEUE,
    keep: async ({ content }) => {
      const dead = decodeDeadLetterMessage(content);
      // What is not understood is the operator's to look at.
      if (dead === null) return true;
      const row = await db
        .selectFrom("dead_letters")
        .select("delivery_id")
        .where("tenant_id", "=", dead.tenantId)
        .where("delivery_id", "=", dead.deliveryId)
        .where("generation", "=", dead.generation)
        .executeTakeFirst();
      return row !== undefined;
    },
  });
}
