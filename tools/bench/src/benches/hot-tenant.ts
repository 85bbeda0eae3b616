// All orders of one tenant, whose numbers are dense and so come one after the other, against those of eight.

import type { Bench } from "../bench-type.ts";
import { pidsOf } from "../cpu.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { throughGateway } from "../load/order-requests.ts";
import { inTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];

export const hotTenant: Bench = {
  name: "one hot tenant",
  what: "orders of 1 tenant; baseline: those of 8",
  target: "≥ 0.60",
  run: async ({ platform, scale }) => {
    const tenants = await benchTenants(platform, TENANTS);
    const place = (of: typeof tenants) => {
      const request = throughGateway(of, LINES);
      return () =>
        closedLoop({
          url: platform.url,
          connections: CONNECTIONS,
          seconds: scale.seconds,
          request,
          expect: 201,
        });
    };
    const compared = await inTurns(place(tenants.slice(0, 1)), place(tenants), {
      scale,
      programs: () => pidsOf(platform),
    });
    return { unit: "orders/s", ...compared };
  },
};
