// `ops deliveries list` and `ops deliveries explain`: the deliveries of one subscription, and the state of one, with the reason.
import {
  type DeliveryStatus,
  deliveryStatuses,
  explainDelivery,
  listForOperator,
  type Tables,
} from "@tradepost/webhooks/operate";
import { type Command, InvalidArgumentError, Option } from "commander";
import { uuid } from "./arguments.ts";
import type { Operator } from "./operator.ts";
import { table } from "./table.ts";
import { withDatabase } from "./with-database.ts";

interface ListOptions {
  subscription: string;
  tenant?: string;
  status?: DeliveryStatus;
  oldest?: true;
  limit: number;
}

const LIMIT = 100;
const LIMIT_MAX = 1_000;

export function addDeliveriesCommands(program: Command, operator: Operator): void {
  const deliveries = program.command("deliveries").description("single deliveries of webhooks");
  deliveries
    .command("list")
    .description("list the deliveries of a subscription, the newest first")
    .requiredOption("--subscription <id>", "the subscription", uuid)
    .option("--tenant <id>", "its tenant; needed after the subscription was deleted", uuid)
    .addOption(new Option("--status <status>", "only with this status").choices(deliveryStatuses))
    .option("--oldest", "the oldest first")
    .option("--limit <n>", `at most this many, up to ${LIMIT_MAX}`, limit, LIMIT)
    .action(async ({ subscription, tenant, status, oldest, limit }: ListOptions) => {
      const filter = { subscriptionId: subscription, tenantId: tenant, status, limit };
      const found = await withDatabase<Tables, Awaited<ReturnType<typeof listForOperator>>>(
        operator.addresses().databases.webhooks,
        (db) => listForOperator(db, { ...filter, isOldestFirst: oldest ?? false }),
      );
      if (found === null)
        throw new Error("No subscription has this id. If it was deleted, add --tenant <id>.");
      if (found.isCut) operator.note("Only a part of its deliveries was searched for this status.");
      operator.print(found.deliveries, table(found.deliveries, "No deliveries match."));
    });
  deliveries
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

function limit(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > LIMIT_MAX)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LIMIT_MAX}.`);
  return number;
}
