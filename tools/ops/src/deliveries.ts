// `ops deliveries explain`: the state of one delivery, and the reason.
import { explainDelivery, type Tables } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import { uuid } from "./arguments.ts";
import type { Operator } from "./operator.ts";
import { withDatabase } from "./with-database.ts";

export function addDeliveriesCommands(program: Command, operator: Operator): void {
  program
    .command("deliveries")
    .description("single deliveries of webhooks")
    .command("explain")
    .description("show where a delivery is now, and why")
    .argument("<deliveryId>", "its `id` in the API, X-service-Delivery in its requests", uuid)
    .action(async (id: string) => {
      const { databases } = operator.addresses();
      const found = await withDatabase<Tables, Awaited<ReturnType<typeof explainDelivery>>>(
        databases.webhooks,
        (db) => explainDelivery(db, id),
      );
      if (found === null)
        throw new Error("No delivery has this id. The log keeps deliveries for a limited time.");
      const next = found.nextAttemptAt === null ? "" : `\nNext attempt: ${found.nextAttemptAt.toISOString()}`;
      operator.print(found, `${found.status} (${found.where}): ${found.because}${next}`);
    });
}
