// Makes the queue `webhooks.dead` agree with the database after a redrive or a purge: takes out every message whose
// delivery is dead no longer. Safe to run at any time, and again.
import { siftQueue } from "@tradepost/messaging";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../tables.ts";
import { DEAD_QUEUE } from "../topology.ts";

const deadMessage = z.object({ tenant_id: z.uuid(), delivery_id: z.uuid(), generation: z.int() });

/** Out: how many messages were taken out. Throws where the broker cannot be reached. */
export async function tidyDeadQueue(db: Kysely<Tables>, amqpUrl: string): Promise<number> {
  return await siftQueue({
    url: amqpUrl,
    queue: DEAD_QUEUE,
    keep: async (message) => {
      const parsed = deadMessage.safeParse(safeJson(message.content));
      // What is not understood is the operator's to look at.
      if (!parsed.success) return true;
      const row = await db
        .selectFrom("dead_letters")
        .select("delivery_id")
        .where("tenant_id", "=", parsed.data.tenant_id)
        .where("delivery_id", "=", parsed.data.delivery_id)
        .where("generation", "=", parsed.data.generation)
        .executeTakeFirst();
      return row !== undefined;
    },
  });
}

function safeJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return null;
  }
}
