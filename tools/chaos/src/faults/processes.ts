// Services that die or are restarted.
import { setTimeout as wait } from "node:timers/promises";
import { SERVICES } from "@tradepost/devstack";
import type { Fault } from "./fault.ts";

const KILLS = 5;

export const processFaults: readonly Fault[] = [
  ...SERVICES.map(
    (service): Fault => ({
      name: `kill -9 ${service}`,
      mayRefuse: true,
      ...((service === "orders" || service === "webhooks") && { isShort: true as const }),
      strike: async ({ stack, lastMs }) => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          stack.holds(`${service}-${(kill % 2) + 1}`).kill();
          await wait(lastMs / KILLS);
        }
        await stack.untilAllReady();
      },
    }),
  ),
  {
    name: "graceful restart, one by one",
    strike: async ({ stack }) => {
      for (const { startable } of stack.processes) {
        await stack.holds(startable.name).restart();
        await stack.untilAllReady();
      }
    },
  },
];
