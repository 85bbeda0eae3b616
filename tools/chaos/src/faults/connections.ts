// Connections that are cut, and networks that swallow everything.
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { Fault } from "./fault.ts";

const BEHIND = ["orders", "content", "webhooks"] as const;

export const connectionFaults: readonly Fault[] = [
  {
    name: "TCP cut between any two",
    mayRefuse: true,
    isShort: true,
    strike: async ({ platform }) => {
      for (let round = 0; round < 3; round += 1) {
        for (const way of Object.values(platform.proxies)) {
          way.reset();
          await sleep(100);
        }
      }
      await platform.untilReady();
    },
  },
  ...(["rabbitmq", "postgres"] as const).map(
    (server): Fault => ({
      name: `blackhole before ${server}`,
      ...(server === "postgres" && { mayRefuse: true as const }),
      strike: async ({ platform, lastMs }) => {
        const ways = SERVICES.map((service) => platform.proxies[`${service}→${server}`]);
        for (const way of ways) way?.blackhole();
        await sleep(3 * lastMs);
        for (const way of ways) await way?.restore();
        await platform.untilReady();
      },
    }),
  ),
  {
    name: "blackhole behind the gateway",
    mayRefuse: true,
    strike: async ({ platform, lastMs }) => {
      const ways = BEHIND.map((service) => platform.proxies[`gateway→${service}`]);
      for (const way of ways) way?.blackhole();
      await sleep(3 * lastMs);
      for (const way of ways) await way?.restore();
    },
  },
];
