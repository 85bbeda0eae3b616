// `ops dead list|show|redrive|purge`: deliveries that failed for good.
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
import { withDatabase } from "./with-database.ts";

type DecideOptions = DeadFilter & { all?: boolean; dryRun?: boolean; yes?: boolean; perSecond?: number };

export function addDeadCommands(program: Command, operator: Operator): void {
  const dead = program.command("dead").description("deliveries that failed for good");
  const onWebhooks = <Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
    withDatabase<Tables, Result>(operator.addresses().databases.webhooks, work);

  withFilters(dead.command("list").description("list them, oldest first")).action(
    async (filter: DeadFilter) => {
      const letters = await onWebhooks((db) => listDeadLetters(db, filter));
      operator.tell(letters, table(letters, "There are no dead letters."));
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
      operator.tell(letter, `${table([head], "")}\n\n${table(attempts, "")}`);
    });

  withFilters(dead.command("redrive").description("send them again, with a fresh set of attempts"))
    .option("--delivery <id>", "only this one", uuid)
    .option("--all", "all of them")
    .option("--dry-run", "only count them")
    .option("--per-second <n>", "no more than so many a second", positiveNumber)
    .action(async (options: DecideOptions) => {
      const filter = chosen(options);
      const result = await onWebhooks(async (db) => {
        if (options.dryRun) return { matched: await countDeadLetters(db, filter), redriven: 0 };
        const redriven = await redriveDeadLetters(db, filter, options.perSecond);
        await tidyDeadQueue(db, operator.addresses().amqpUrl);
        return redriven;
      });
      operator.tell(result, `Matched: ${result.matched}. Sent again: ${result.redriven}.`);
    });

  withFilters(dead.command("purge").description("take them off this list for good"))
    .option("--delivery <id>", "only this one", uuid)
    .option("--all", "all of them")
    .option("--yes", "do it")
    .action(async (options: DecideOptions) => {
      if (!options.yes) throw new Error("Purged dead letters cannot be redriven. Say --yes to do it.");
      const result = await onWebhooks(async (db) => {
        const purged = await purgeDeadLetters(db, options);
        await tidyDeadQueue(db, operator.addresses().amqpUrl);
        return purged;
      });
      operator.tell(result, `Purged: ${result.purged}.`);
    });
}

function withFilters(command: Command): Command {
  return command
    .option("--tenant <id>", "only this tenant's", uuid)
    .option("--subscription <id>", "only this subscription's", uuid)
    .option("--since <time>", "only those that failed then or later (ISO 8601)", time)
    .option("--until <time>", "only those that failed before then (ISO 8601)", time)
    .option("--reason <reason>", "only those whose last attempt ended so: timeout, http_status, …");
}

/** A redrive of everything must be said, not forgotten. */
function chosen(options: DecideOptions): DeadFilter {
  const { delivery, tenant, subscription, since, until, reason, all } = options;
  const isNarrowed = [delivery, tenant, subscription, since, until, reason].some(
    (part) => part !== undefined,
  );
  if (!isNarrowed && !all) throw new Error("Say which: a filter, --delivery <id>, or --all.");
  return { delivery, tenant, subscription, since, until, reason };
}
