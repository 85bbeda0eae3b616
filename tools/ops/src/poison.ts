// `ops poison list|redrive|purge`: messages that a consumer could not read, or that ended it again and again. They stay until an
// operator decides.
import { type QueuedMessage, removeMatching } from "@tradepost/messaging";
import { type Command, Option } from "commander";
import type { Operator } from "./operator.ts";
import { describePoison, POISON_QUEUES, type PoisonMessage } from "./poison-message.ts";
import { redrivePoison } from "./redrive-poison.ts";
import { table } from "./table.ts";
import { reachBroker } from "./unreachable.ts";

interface Filter {
  queue?: string;
  message?: string;
}

export function addPoisonCommands(program: Command, operator: Operator): void {
  const poison = program.command("poison").description("messages that no consumer could read");
  withFilters(poison.command("list").description("list them without removing them")).action(
    async (filter: Filter) => {
      const rows: PoisonMessage[] = [];
      await removePoison(operator, filter, (message) => {
        rows.push(message);
        return false;
      });
      operator.print(rows, table(rows, "There are no poison messages."));
    },
  );
  withFilters(
    poison.command("redrive").description("put them back into the queues that they came from"),
  ).action(async (filter: Filter) => {
    const result = await redrivePoison(operator.addresses().amqpUrl, (move) =>
      removePoison(operator, filter, (message, original) => move(message.source, original)),
    );
    operator.print(result, `Matched: ${result.matched}. Put back: ${result.redriven}.`);
    if (result.redriven < result.matched) {
      operator.note("The others stay: they came from no queue, or their queue does not exist.");
      operator.fail();
    }
  });
  withFilters(poison.command("purge").description("delete them"))
    .option("--yes", "do it")
    .action(async ({ yes, ...filter }: Filter & { yes?: boolean }) => {
      if (!yes) throw new Error("Purged messages cannot be restored. Add --yes to purge them.");
      const purged = await removePoison(operator, filter, () => true);
      operator.print({ purged }, `Purged: ${purged}.`);
    });
}

function withFilters(command: Command): Command {
  return command
    .addOption(new Option("--queue <name>", "only this poison queue's").choices(POISON_QUEUES))
    .option("--message <id>", "only the message with this messageId");
}

/** Passes each matching message to `decide` once, and removes it if that returns true. Returns the number of removed messages. */
async function removePoison(
  operator: Operator,
  filter: Filter,
  decide: (message: PoisonMessage, original: QueuedMessage) => Promise<boolean> | boolean,
): Promise<number> {
  const queues = POISON_QUEUES.filter((queue) => filter.queue === undefined || filter.queue === queue);
  let removed = 0;
  const url = operator.addresses().amqpUrl;
  for (const queue of queues) {
    removed += await reachBroker(url, () =>
      removeMatching({
        ...{ url, queue },
        matches: (original) => {
          const message = describePoison(queue, original);
          if (filter.message !== undefined && filter.message !== message.messageId) return false;
          return decide(message, original);
        },
      }),
    );
  }
  return removed;
}
