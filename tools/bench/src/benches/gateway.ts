// What the way through the gateway costs: orders through it, against orders at the service itself.
import type { Bench } from "../bench-type.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { directly, throughGateway } from "../load/order-requests.ts";
import { inTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];

export const gateway: Bench = {
  name: "gateway",
  what: "orders through the gateway; yardstick: orders at the service itself, signed beforehand",
  target: "≥ 0.65",
  run: async ({ stack, scale }) => {
    const tenants = await benchTenants(stack, TENANTS);
    const run = (url: string, request: () => string) => () =>
      closedLoop({ url, connections: CONNECTIONS, seconds: scale.seconds, request, expect: 201 });
    const compared = await inTurns(
      run(stack.url, throughGateway(tenants, LINES)),
      run(stack.urls.orders, directly(tenants, LINES, stack.secrets.gatewaySecrets.orders)),
      { scale, programs: stack.programs },
    );
    return { unit: "orders/s", ...compared };
  },
};
