// `ops queues`: the number of messages and consumers of each queue.
import { vhostOf } from "@tradepost/runtime";
import type { Command } from "commander";
import { z } from "zod";
import type { Operator } from "./arguments.ts";
import { checkUpgrade, MACHINE_VERSIONS_COMMAND, readBrokerState } from "./check-upgrade.ts";
import { askManagement } from "./management.ts";
import { table } from "./table.ts";

const queueList = z.array(
  z.object({
    name: z.string(),
    // A queue that was just declared has no counts yet.
    messages_ready: z.number().default(0),
    messages_unacknowledged: z.number().default(0),
    consumers: z.number().default(0),
    // The nodes with a copy of a quorum queue, and those of them that are up.
    members: z.array(z.string()).default([]),
    online: z.array(z.string()).default([]),
  }),
);

export function addQueuesCommand(program: Command, operator: Operator): void {
  program
    .command("queues")
    .description("list the queues with their messages, consumers, and members in a cluster")
    .option(
      "--check-upgrade",
      "check whether RabbitMQ's feature flags may be enabled; refuses with exit status 1",
    )
    .option(
      "--machine-versions-checked",
      "with --check-upgrade: the rabbitmqctl command that it prints has succeeded",
    )
    .action(async (options: { checkUpgrade?: true; machineVersionsChecked?: true }) => {
      const { checkUpgrade: isCheck = false, machineVersionsChecked = false } = options;
      if (machineVersionsChecked && !isCheck)
        throw new Error("--machine-versions-checked needs --check-upgrade.");
      const { amqpUrl, managementUrl } = operator.addresses();
      if (isCheck) {
        const state = await readBrokerState(managementUrl);
        printCheck(operator, checkUpgrade(state, { machineVersionsChecked }));
        return;
      }
      const vhost = encodeURIComponent(vhostOf(amqpUrl));
      const queues = queueList.parse(await askManagement(managementUrl, `/queues/${vhost}`));
      const rows = queues
        .map((queue) => ({
          name: queue.name,
          ready: queue.messages_ready,
          unacked: queue.messages_unacknowledged,
          consumers: queue.consumers,
          members: queue.members.length,
          online: queue.online.length,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      operator.print(rows, table(rows, "The broker has no queues."));
    });
}

function printCheck(operator: Operator, { faults, disabledFlags }: ReturnType<typeof checkUpgrade>): void {
  const isRefused = faults.length > 0;
  if (isRefused) operator.fail();
  const command = MACHINE_VERSIONS_COMMAND;
  const flags =
    disabledFlags.length === 0
      ? "All feature flags are enabled."
      : `Disabled feature flags: ${disabledFlags.join(", ")}.`;
  const text = isRefused
    ? [...faults, "Do not enable feature flags yet. The rabbitmqctl command:", command]
    : ["All nodes run the same version, and all members of the quorum queues are online.", flags];
  operator.print({ ok: !isRefused, faults, disabledFlags, machineVersionsCommand: command }, text.join("\n"));
}
