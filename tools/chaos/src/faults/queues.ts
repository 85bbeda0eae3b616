// Queues that are deleted or purged, and consumers that are cut off.
import { sleep } from "@tradepost/runtime";
import type { Fault } from "./fault.ts";
import { manage } from "./manage.ts";

export const queueFaults: readonly Fault[] = [
  ...["webhooks.events", "webhooks.deliveries", "content.replay"].map(
    (queue): Fault => ({
      name: `queue ${queue} deleted`,
      strike: async ({ platform, lastMs }) => {
        await manage(platform, "DELETE", `queues/%2F/${queue}`);
        await sleep(lastMs / 2);
        await platform.untilReady();
      },
    }),
  ),
  {
    name: "consumers' connections closed",
    strike: async ({ platform, lastMs }) => {
      const connections = (await manage(platform, "GET", "connections")) as { name: string }[];
      for (const { name } of connections) {
        await manage(platform, "DELETE", `connections/${encodeURIComponent(name)}`).catch(() => undefined);
      }
      await sleep(lastMs / 2);
      await platform.untilReady();
    },
  },
  {
    // On RabbitMQ 3.10 a queue that is deleted as soon as it is declared can end this supervisor. Retries then stay in their
    // queues, and the sweep replaces them; after a restart of the broker they come back once more.
    name: "broker's dead-lettering stopped",
    strike: async ({ platform, receiver, lastMs }) => {
      const stop = "ok = supervisor:terminate_child(rabbit_sup, rabbit_fifo_dlx_sup).";
      await platform.rabbitmq.control("eval", stop);
      receiver.behave(() => 500);
      await sleep(lastMs);
      receiver.behave(() => 200);
      await sleep(2 * lastMs);
      await platform.process("rabbitmq").restart();
      await platform.untilReady();
    },
  },
  {
    name: "retry queues purged",
    strike: async ({ platform, receiver, lastMs }) => {
      receiver.behave(() => 500);
      await sleep(lastMs);
      for (const label of ["1s", "2s", "3s"]) {
        await manage(platform, "DELETE", `queues/%2F/webhooks.retry.${label}/contents`);
      }
      receiver.behave(() => 200);
    },
  },
];
