// `ops dead list|show|redrive|purge`: deliveries whose last attempt failed.
import {
  countDeadLetters,
  type DeadFilter,
  findDeadLetter,
  listDeadLetters,
  purgeDeadLetters,
  redriveDeadLetters,
  type Tables,
  tidyDeadQueue,
} from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import type { Kysely } from "kysely";
import { positiveNumber, time, uuid } from "./arguments.ts";
import type { Operator } from "./operator.ts";
import { table } from "./table.ts";
import { reachBroker } from "./unreachable.ts";
import { withDatabase } from "./with-database.ts";

type DecideOptions = DeadFilter & { all?: boolean; dryRun?: boolean; yes?: boolean; perSecond?: number };

export function addDeadCommands(program: Command, operator: Operator): void {
  const dead = program.command("dead").description("deliveries whose last attempt failed");
  const onWebhooks = <Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
    withDatabase<Tables, Result>(operator.addresses().databases.webhooks, work);
  // The database decides; the queue only shows the dead letters.
  const tidy = async (db: Kysely<Tables>) => {
    const { amqpUrl } = operator.addresses();
    await operator.ifReachable(reachBroker(amqpUrl, () => tidyDeadQueue(db, amqpUrl)));
  };

  withFilters(dead.command("list").description("list them, oldest first")).action(
    async (filter: DeadFilter) => {
      const letters = await onWebhooks((db) => listDeadLetters(db, filter));
      operator.print(letters, table(letters, "There are no dead letters."));
    },
  );

  dead
    .command("show")
    .description("show one with its attempts")
    .argument("<deliveryId>", "as `dead list` shows it", uuid)
    .action(async (id: string) => {
      const letter = await onWebhooks((db) => findDeadLetter(db, id));
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
      const result = await onWebhooks(async (db) => {
        if (options.dryRun) return { matched: await countDeadLetters(db, filter), redriven: 0 };
        const redriven = await redriveDeadLetters(db, filter, options.perSecond);
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
      const result = await onWebhooks(async (db) => {
        const purged = await purgeDeadLetters(db, options);
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
function filterOf(options: DecideOptions): DeadFilter {
  const { delivery, tenant, subscription, since, until, reason, all } = options;
  const isNarrowed = [delivery, tenant, subscription, since, until, reason].some(
    (part) => part !== undefined,
  );
  if (!isNarrowed && !all)
    throw new Error("Select dead letters with a filter or --delivery <id>, or add --all.");
  return { delivery, tenant, subscription, since, until, reason };
}
