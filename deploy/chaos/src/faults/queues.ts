// Queues that are deleted or purged, and consumers that are cut off.
import { setTimeout as wait } from "node:timers/promises";
import type { Fault } from "./fault.ts";
import { manage } from "./manage.ts";

export const queueFaults: readonly Fault[] = [
  ...["webhooks.events", "webhooks.deliveries", "content.replay"].map(
    (queue): Fault => ({
      name: `queue ${queue} deleted`,
      strike: async ({ stack, lastMs }) => {
        await manage(stack, "DELETE", `queues/%2F/${queue}`);
        await wait(lastMs / 2);
        await stack.untilAllReady();
      },
    }),
  ),
  {
    name: "consumers' connections closed",
    strike: async ({ stack, lastMs }) => {
      const connections = (await manage(stack, "GET", "connections")) as { name: string }[];
      for (const { name } of connections) {
        await manage(stack, "DELETE", `connections/${encodeURIComponent(name)}`).catch(() => undefined);
      }
      await wait(lastMs / 2);
      await stack.untilAllReady();
    },
  },
  {
    name: "retry queues purged",
    strike: async ({ stack, receiver, lastMs }) => {
      receiver.behave(() => 500);
      await wait(lastMs);
      for (const label of ["1s", "2s", "3s"]) {
        await manage(stack, "DELETE", `queues/%2F/webhooks.retry.${label}/contents`);
      }
      receiver.behave(() => 200);
    },
  },
];
