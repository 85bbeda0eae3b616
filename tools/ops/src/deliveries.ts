// `ops deliveries list` and `ops deliveries explain`: the deliveries of one subscription, and the state of one, with the reason.
import {
  type DeliveryStatus,
  deadLetters,
  deliveryStatuses,
  explainDelivery,
  listForOperator,
  type Tables,
} from "@tradepost/webhooks/operate";
import { type Command, Option } from "commander";
import type { Kysely } from "kysely";
import { type Operator, positiveNumber, time, uuid, wholeNumber } from "./arguments.ts";
import { table } from "./table.ts";
import { reachBroker } from "./with-database.ts";

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
    .option("--limit <n>", `at most this many, up to ${LIMIT_MAX}`, wholeNumber(1, LIMIT_MAX), LIMIT)
    .action(async ({ subscription, tenant, status, oldest, limit }: ListOptions) => {
      const filter = { subscriptionId: subscription, tenantId: tenant, status, limit };
      const found = await operator.on("webhooks", (db) =>
        listForOperator(db, { ...filter, isOldestFirst: oldest ?? false }),
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
      const found = await operator.on("webhooks", (db) => explainDelivery(db, id));
      if (found === null)
        throw new Error("No delivery has this id. The log keeps deliveries for a limited time.");
      const next = found.nextAttemptAt === null ? "" : `\nNext attempt: ${found.nextAttemptAt.toISOString()}`;
      operator.print(found, `${found.status} (${found.where}): ${found.because}${next}`);
    });
}

type DecideOptions = deadLetters.Filter & {
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  perSecond?: number;
};

export function addDeadCommands(program: Command, operator: Operator): void {
  const dead = program.command("dead").description("deliveries whose last attempt failed");
  // The database decides; the queue only shows the dead letters.
  const tidy = async (db: Kysely<Tables>) => {
    const { amqpUrl } = operator.addresses();
    await operator.ifReachable(reachBroker(amqpUrl, () => deadLetters.tidyQueue(db, amqpUrl)));
  };

  withFilters(dead.command("list").description("list them, oldest first")).action(
    async (filter: deadLetters.Filter) => {
      const letters = await operator.on("webhooks", (db) => deadLetters.list(db, filter));
      operator.print(letters, table(letters, "There are no dead letters."));
    },
  );

  dead
    .command("show")
    .description("show one with its attempts")
    .argument("<deliveryId>", "as `dead list` shows it", uuid)
    .action(async (id: string) => {
      const letter = await operator.on("webhooks", (db) => deadLetters.find(db, id));
      if (letter === null) throw new Error("No dead letter has this id.");
      const { attempts, ...head } = letter;
      operator.print(letter, `${table([head], "")}\n\n${table(attempts, "")}`);
    });

  withFilters(dead.command("redrive").description("send them again, with a fresh set of attempts"))
    .option("--delivery <id>", "only this one", uuid)
    .option("--all", "all of them")
    .option("--dry-run", "only count them")
    .option("--per-second <n>", "at most this many per second", positiveNumber)
    .action(async (options: DecideOptions) => {
      const filter = filterOf(options);
      const result = await operator.on("webhooks", async (db) => {
        if (options.dryRun) return { matched: await deadLetters.count(db, filter), redriven: 0 };
        const redriven = await deadLetters.redrive(db, filter, options.perSecond);
        await tidy(db);
        return redriven;
      });
      operator.print(result, `Matched: ${result.matched}. Sent again: ${result.redriven}.`);
    });

  withFilters(dead.command("purge").description("remove them from this list permanently"))
    .option("--delivery <id>", "only this one", uuid)
    .option("--all", "all of them")
    .option("--yes", "do it")
    .action(async (options: DecideOptions) => {
      if (!options.yes) throw new Error("Purged dead letters cannot be redriven. Add --yes to purge them.");
      const result = await operator.on("webhooks", async (db) => {
        const purged = await deadLetters.purge(db, options);
        await tidy(db);
        return purged;
      });
      operator.print(result, `Purged: ${result.purged}.`);
    });
}

function withFilters(command: Command): Command {
  return command
    .option("--tenant <id>", "only this tenant's", uuid)
    .option("--subscription <id>", "only this subscription's", uuid)
    .option("--since <time>", "only dead letters that failed at or after this time (ISO 8601)", time)
    .option("--until <time>", "only dead letters that failed before this time (ISO 8601)", time)
    .option(
      "--reason <reason>",
      "only dead letters whose last attempt had this outcome: timeout, http_status, …",
    );
}

/** Redriving everything requires an explicit --all, so that a forgotten filter does not cause it. */
function filterOf(options: DecideOptions): deadLetters.Filter {
  const { delivery, tenant, subscription, since, until, reason, all } = options;
  const isNarrowed = [delivery, tenant, subscription, since, until, reason].some(
    (part) => part !== undefined,
  );
  if (!isNarrowed && !all)
    throw new Error("Select dead letters with a filter or --delivery <id>, or add --all.");
  return { delivery, tenant, subscription, since, until, reason };
}
