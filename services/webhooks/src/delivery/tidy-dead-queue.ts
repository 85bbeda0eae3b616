// Removes from the queue `webhooks.dead` every message whose delivery is no longer a dead letter, after a redrive or a
// purge. It can run at any time and be repeated.
import { removeMatching } from "@tradepost/messaging";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { decodeDeadLetterMessage } from "./dead-letter-message.ts";
import { DEAD_QUEUE } from "./topology.ts";

/** Returns how many messages were removed. Throws if the broker cannot be reached. */
export async function tidyDeadQueue(db: Kysely<Tables>, amqpUrl: string): Promise<number> {
  return await removeMatching({
    url: amqpUrl,
    queue: DEAD_QUEUE,
    matches: async ({ content }) => {
      const dead = decodeDeadLetterMessage(content);
      // An unreadable message stays for the operator.
      if (dead === null) return false;
      const row = await db
        .selectFrom("dead_letters")
        .select("delivery_id")
        .where("tenant_id", "=", dead.tenantId)
        .where("delivery_id", "=", dead.deliveryId)
        .where("generation", "=", dead.generation)
        .executeTakeFirst();
      return row === undefined;
    },
  });
}
