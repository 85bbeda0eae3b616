// The cost of the gateway: orders through it, compared with orders straight to the service.

import { closedLoop } from "../load/closed-loop.ts";
import { gatewayOrderRequests, serviceOrderRequests } from "../load/order-requests.ts";
import { compareInTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench } from "./bench.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];

export const gateway: Bench = {
  name: "gateway",
  description: "orders through the gateway; baseline: orders straight to the service, signed in advance",
  target: "≥ 0.65",
  run: async ({ platform, scale, observe }) => {
    const tenants = await benchTenants(platform, TENANTS);
    const run = (url: string, request: () => string) => () =>
      closedLoop({ url, connections: CONNECTIONS, seconds: scale.seconds, request, expect: 201 });
    const compared = await compareInTurns(
      run(platform.url, gatewayOrderRequests(tenants, LINES)),
      run(platform.urls.orders, serviceOrderRequests(tenants, LINES, platform.secrets.gatewaySecrets.orders)),
      { scale, observe },
    );
    return { unit: "orders/s", ...compared };
  },
};
