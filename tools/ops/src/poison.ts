// `ops poison list|redrive|purge`: messages that a consumer could not read, or that ended it again and again. They stay until an
// operator decides.

import { auditEntryFault } from "@tradepost/gateway/operate";
import { decodeEvent, type QueuedMessage, removeMatching } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { jobs } from "@tradepost/webhooks/operate";
import { type Command, Option } from "commander";
import type { Operator } from "./arguments.ts";
import { table } from "./table.ts";
import { reachBroker, withPublisher } from "./with-database.ts";

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
    const result = await redrivePoison(operator, filter);
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

/** Passes each matching message to `decide` once, and removes it if that returns true. */
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

/**
 * Removes each message once the broker has confirmed it in its old queue. If the command ends in between, the message is in both
 * queues, and consumers recognise the second copy by its id. A message that is rejected again returns to the end of the poison queue,
 * and is not seen again.
 *
 * @throws Unreachable without a broker, and an Error if it does not accept a message. The remaining messages stay in the poison queue.
 */
async function redrivePoison(operator: Operator, filter: Filter) {
  let [matched, redriven] = [0, 0];
  await withPublisher(operator.addresses().amqpUrl, (publisher) =>
    removePoison(operator, filter, async ({ source }, { content, properties }) => {
      matched += 1;
      if (source === null) return false;
      const outcome = await publisher.publish({
        // The default exchange routes to every queue by its name.
        ...{ exchange: "", routingKey: source, mandatory: true, content },
        messageId: (properties.messageId as string | undefined) ?? newId(),
        ...(properties.type !== undefined && { type: properties.type as string }),
        headers: headersOf(properties.headers ?? {}),
      });
      if (outcome === "unavailable" || outcome === "refused")
        throw new Error(`The broker did not accept a message. ${redriven} were put back; the rest stays.`);
      if (outcome !== "confirmed") return false;
      redriven += 1;
      return true;
    }),
  );
  return { matched, redriven };
}

/** Leaves out the broker's own headers, so that the broker counts deliveries and deaths from zero. */
function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | number | boolean] =>
        !entry[0].startsWith("x-") && ["string", "number", "boolean"].includes(typeof entry[1]),
    ),
  );
}

const POISON_QUEUES = ["webhooks.poison", "gateway.audit.poison", "content.poison"] as const;

type PoisonMessage = ReturnType<typeof describePoison>;

/** An entry of the x-death header, which the broker adds to a message that it dead-letters. The latest is first. */
interface Death {
  readonly queue?: string;
  readonly reason?: string;
  readonly time?: { readonly value?: number };
}

function describePoison(queue: string, { content, properties }: QueuedMessage) {
  const [death] = (properties.headers?.["x-death"] ?? []) as Death[];
  const seconds = death?.time?.value;
  // Null if somebody published it to the poison queue.
  const source = death?.queue ?? null;
  return {
    queue,
    source,
    at: seconds === undefined ? null : new Date(seconds * 1000).toISOString(),
    reason: reasonOf(source, death?.reason, content),
    messageId: (properties.messageId as string | undefined) ?? null,
  };
}

function reasonOf(source: string | null, deathReason: string | undefined, content: Buffer): string {
  if (deathReason === "delivery_limit") return "delivery limit exceeded";
  const fault = faultOf(source, content);
  if (fault !== null) return fault;
  if (source === null) return "published to this queue directly";
  // The message can be read. An earlier version of the consumer may not have been able to.
  return source === "gateway.audit"
    ? "its tenant did not exist"
    : "the consumer rejected it; it can be read now";
}

/** Null if the message can be read. */
function faultOf(source: string | null, content: Buffer): string | null {
  if (source === "webhooks.deliveries") return jobs.faultOf(content);
  if (source === "gateway.audit") return auditEntryFault(content);
  const decoded = decodeEvent(content);
  return "fault" in decoded ? decoded.fault : null;
}
