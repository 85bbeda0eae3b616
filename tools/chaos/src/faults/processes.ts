// Services that are killed or restarted.
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { ChaosPlatform } from "../platform.ts";
import type { Fault } from "./fault.ts";

const KILLS = 5;

export const processFaults: readonly Fault[] = [
  ...SERVICES.map(
    (service): Fault => ({
      name: `kill -9 ${service}`,
      mayFailRequests: true,
      ...((service === "orders" || service === "webhooks") && { isShort: true as const }),
      inject: async ({ platform, durationMs }) => {
        for (let kill = 0; kill < KILLS; kill += 1) {
          platform.process(`${service}-${(kill % 2) + 1}`).kill();
          await sleep(durationMs / KILLS);
        }
        await platform.untilReady();
      },
    }),
  ),
  { name: "graceful restart, one by one", inject: ({ platform }) => restartOneByOne(platform) },
];

/** Restarts each process of each service when all others are ready. */
export async function restartOneByOne(platform: ChaosPlatform): Promise<void> {
  for (const { name } of platform.services) {
    await platform.process(name).restart();
    await platform.untilReady();
  }
}
