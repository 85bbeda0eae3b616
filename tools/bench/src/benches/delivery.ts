// Delivers a backlog of events to HTTPS endpoints. Each tenant has only one.
import { drainDeliveries } from "../drain-deliveries.ts";
import { postInALoop } from "../post-in-a-loop.ts";
import { compareInTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench } from "./bench.ts";

export const delivery: Bench = {
  name: "delivery",
  description:
    "delivering 50,000 events of 50 tenants to one HTTPS endpoint each; baseline: undici posting bodies of the same size in a loop",
  target: "≥ 0.30; 0.40 is ambitious",
  run: async (context) => {
    const { platform, receivers, scale, observe } = context;
    const tenants = await benchTenants(
      platform,
      receivers.urls.map((url) => `${url}/`),
    );
    const compared = await compareInTurns(
      () =>
        drainDeliveries(
          context,
          tenants.map(({ tenantId }) => tenantId),
        ),
      () => postInALoop(context, receivers.urls, scale.deliveries),
      { scale, observe },
    );
    return { unit: "deliveries/s", ...compared };
  },
};
