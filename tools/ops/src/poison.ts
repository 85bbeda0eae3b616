// `ops poison list` and `ops poison purge`: messages that no consumer could decode. They stay until an operator purges them.
import { decodeEvent, removeMatching } from "@tradepost/messaging";
import { POISON_QUEUE } from "@tradepost/webhooks/operate";
import type { Command } from "commander";
import type { Operator } from "./operator.ts";
import { table } from "./table.ts";

interface PoisonMessage {
  readonly queue: string;
  readonly at: string | null;
  readonly reason: string;
  readonly messageId: string | null;
}

/** An entry of the x-death header, which the broker adds to a message that it dead-letters. */
interface Death {
  readonly queue?: string;
  readonly reason?: string;
  readonly time?: { readonly value?: number };
}

export function addPoisonCommands(program: Command, operator: Operator): void {
  const poison = program.command("poison").description("messages that no consumer could decode");
  poison
    .command("list")
    .description("list them without removing them")
    .action(async () => {
      const rows = await listPoison(operator.addresses().amqpUrl);
      operator.print(rows, table(rows, "There are no poison messages."));
    });
  poison
    .command("purge")
    .description("delete them all")
    .option("--yes", "do it")
    .action(async ({ yes }: { yes?: boolean }) => {
      if (!yes) throw new Error("Purged messages cannot be restored. Add --yes to purge them.");
      const purged = await removeMatching({
        url: operator.addresses().amqpUrl,
        queue: POISON_QUEUE,
        matches: () => true,
      });
      operator.print({ purged }, `Purged: ${purged}.`);
    });
}

async function listPoison(amqpUrl: string): Promise<PoisonMessage[]> {
  const rows: PoisonMessage[] = [];
  await removeMatching({
    url: amqpUrl,
    queue: POISON_QUEUE,
    matches: ({ content, properties }) => {
      const [death] = (properties.headers?.["x-death"] ?? []) as Death[];
      const seconds = death?.time?.value;
      rows.push({
        queue: death?.queue ?? POISON_QUEUE,
        at: seconds === undefined ? null : new Date(seconds * 1000).toISOString(),
        reason: reasonOf(death, content),
        messageId: (properties.messageId as string | undefined) ?? null,
      });
      return false;
    },
  });
  return rows;
}

function reasonOf(death: Death | undefined, content: Buffer): string {
  const decoded = decodeEvent(content);
  if (death?.reason === "delivery_limit") return "delivery limit exceeded";
  return "fault" in decoded ? decoded.fault : (death?.reason ?? "published to this queue directly");
}
