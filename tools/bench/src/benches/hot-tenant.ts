// Orders of one tenant, which wait for each other because order numbers have no gaps, compared with orders of eight tenants.

import { closedLoop } from "../load/closed-loop.ts";
import { gatewayOrderRequests } from "../load/order-requests.ts";
import { compareInTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench } from "./bench.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];

export const hotTenant: Bench = {
  name: "one hot tenant",
  description: "orders of 1 tenant; baseline: orders of 8 tenants",
  target: "≥ 0.60",
  run: async ({ platform, scale, observe }) => {
    const tenants = await benchTenants(platform, TENANTS);
    const placeOrders = (ofTenants: typeof tenants) => {
      const request = gatewayOrderRequests(ofTenants, LINES);
      return () =>
        closedLoop({
          url: platform.url,
          connections: CONNECTIONS,
          seconds: scale.seconds,
          request,
          expect: 201,
        });
    };
    const compared = await compareInTurns(placeOrders(tenants.slice(0, 1)), placeOrders(tenants), {
      scale,
      observe,
    });
    return { unit: "orders/s", ...compared };
  },
};
