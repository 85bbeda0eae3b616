// Connections are reset, and networks drop all bytes.
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { FaultProxy } from "@tradepost/testing";
import type { Fault } from "./fault.ts";

const BEHIND_GATEWAY = ["orders", "content", "webhooks"] as const;

export const connectionFaults: readonly Fault[] = [
  {
    name: "TCP connections reset",
    mayFailRequests: true,
    isShort: true,
    inject: async ({ platform }) => {
      for (let round = 0; round < 3; round += 1) {
        for (const proxy of Object.values(platform.proxies)) {
          proxy.reset();
          await sleep(100);
        }
      }
      await platform.untilReady();
    },
  },
  ...(["rabbitmq", "postgres"] as const).map(
    (server): Fault => ({
      name: `blackhole before ${server}`,
      ...(server === "postgres" && { mayFailRequests: true as const }),
      inject: async ({ platform, durationMs }) => {
        const proxies = SERVICES.map((service) => platform.proxies[`${service}→${server}`]);
        await blackhole(proxies, 3 * durationMs);
        await platform.untilReady();
      },
    }),
  ),
  {
    name: "blackhole behind the gateway",
    mayFailRequests: true,
    inject: async ({ platform, durationMs }) => {
      const proxies = BEHIND_GATEWAY.map((service) => platform.proxies[`gateway→${service}`]);
      await blackhole(proxies, 3 * durationMs);
    },
  },
];

async function blackhole(proxies: readonly (FaultProxy | undefined)[], durationMs: number): Promise<void> {
  for (const proxy of proxies) proxy?.blackhole();
  await sleep(durationMs);
  for (const proxy of proxies) await proxy?.restore();
}
