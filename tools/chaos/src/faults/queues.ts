// Queues that are deleted or purged, and consumers that are disconnected.
import { sleep } from "@tradepost/runtime";
import { callManagement } from "./call-management.ts";
import type { Fault } from "./fault.ts";

export const queueFaults: readonly Fault[] = [
  ...["webhooks.events", "webhooks.deliveries", "content.replay"].map(
    (queue): Fault => ({
      name: `queue ${queue} deleted`,
      inject: async ({ platform, durationMs }) => {
        await callManagement(platform, "DELETE", `queues/%2F/${queue}`);
        await sleep(durationMs / 2);
        await platform.untilReady();
      },
    }),
  ),
  {
    name: "consumers' connections closed",
    inject: async ({ platform, durationMs }) => {
      const connections = (await callManagement(platform, "GET", "connections")) as { name: string }[];
      for (const { name } of connections) {
        await callManagement(platform, "DELETE", `connections/${encodeURIComponent(name)}`).catch(
          () => undefined,
        );
      }
      await sleep(durationMs / 2);
      await platform.untilReady();
    },
  },
  {
    // On RabbitMQ 3.10, deleting a queue right after it was declared can end this supervisor. Retries then stay in their
    // queues, and the sweep replaces them. After a restart of the broker the old ones are delivered as well.
    name: "broker's dead-lettering stopped",
    inject: async ({ platform, webhookObserver, durationMs }) => {
      const stop = "ok = supervisor:terminate_child(rabbit_sup, rabbit_fifo_dlx_sup).";
      await platform.rabbitmq.control("eval", stop);
      webhookObserver.behave(() => 500);
      await sleep(durationMs);
      webhookObserver.behave(() => 200);
      await sleep(2 * durationMs);
      await platform.process("rabbitmq").restart();
      await platform.untilReady();
    },
  },
  {
    name: "retry queues purged",
    inject: async ({ platform, webhookObserver, durationMs }) => {
      webhookObserver.behave(() => 500);
      await sleep(durationMs);
      for (const label of ["1s", "2s", "3s"]) {
        await callManagement(platform, "DELETE", `queues/%2F/webhooks.retry.${label}/contents`);
      }
      webhookObserver.behave(() => 200);
    },
  },
];
