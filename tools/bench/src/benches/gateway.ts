// What the way through the gateway costs: orders through it, against orders at the service itself.

import type { Bench } from "../bench-type.ts";
import { pidsOf } from "../cpu.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { directly, throughGateway } from "../load/order-requests.ts";
import { inTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];

export const gateway: Bench = {
  name: "gateway",
  what: "orders through the gateway; baseline: orders at the service itself, signed beforehand",
  target: "≥ 0.65",
  run: async ({ platform, scale }) => {
    const tenants = await benchTenants(platform, TENANTS);
    const run = (url: string, request: () => string) => () =>
      closedLoop({ url, connections: CONNECTIONS, seconds: scale.seconds, request, expect: 201 });
    const compared = await inTurns(
      run(platform.url, throughGateway(tenants, LINES)),
      run(platform.urls.orders, directly(tenants, LINES, platform.secrets.gatewaySecrets.orders)),
      { scale, programs: () => pidsOf(platform) },
    );
    return { unit: "orders/s", ...compared };
  },
};
