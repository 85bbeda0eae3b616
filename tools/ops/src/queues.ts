// `ops queues`: the number of messages and consumers of each queue.
import { vhostOf } from "@tradepost/runtime";
import type { Command } from "commander";
import { z } from "zod";
import type { Operator } from "./arguments.ts";
import { askManagement } from "./management.ts";
import { table } from "./table.ts";

const queueList = z.array(
  z.object({
    name: z.string(),
    // A queue that was just declared has no counts yet.
    messages_ready: z.number().default(0),
    messages_unacknowledged: z.number().default(0),
    consumers: z.number().default(0),
    // The nodes with a copy of a quorum queue, and the ones that are up.
    members: z.array(z.string()).default([]),
    online: z.array(z.string()).default([]),
  }),
);

export function addQueuesCommand(program: Command, operator: Operator): void {
  program
    .command("queues")
    .description("list the queues with their messages, consumers, and members in a cluster")
    .action(async () => {
      const { amqpUrl, managementUrl } = operator.addresses();
      const vhost = encodeURIComponent(vhostOf(amqpUrl));
      const queues = queueList.parse(await askManagement(managementUrl, `/queues/${vhost}`));
      const rows = queues
        .map(({ name, messages_ready: ready, messages_unacknowledged: unacked, consumers, ...queue }) => ({
          name,
          ready,
          unacked,
          consumers,
          members: queue.members.length,
          online: queue.online.length,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      operator.print(rows, table(rows, "The broker has no queues."));
    });
}
