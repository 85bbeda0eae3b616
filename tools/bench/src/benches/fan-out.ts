// Delivers each event to ten HTTPS endpoints of one tenant. Unlike in `delivery`, the service has run for a while.

import { postInALoop } from "../post-in-a-loop.ts";
import { publishEvents } from "../publish-events.ts";
import { compareInTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import { untilOver } from "../until-over.ts";
import type { Bench, BenchContext } from "./bench.ts";

const ENDPOINTS = 10;

export const fanOut: Bench = {
  name: "fan-out",
  description:
    "delivering 3,000 events of one tenant to 10 HTTPS endpoints each; baseline: undici posting bodies of the same size in a loop",
  target: "≥ 0.45, ≤ 0.75 CPU-ms; 0.55 and 0.5 are ambitious",
  run: async (context) => {
    const { platform, receivers, scale, observe } = context;
    // With `--short` there are fewer receivers than endpoints.
    const urls = Array.from({ length: ENDPOINTS }, (_, index) => {
      const receiver = receivers.urls[index % receivers.urls.length] as string;
      return `${receiver}/fan-out-${index + 1}`;
    });
    const [tenant] = await benchTenants(platform, [urls]);
    if (tenant === undefined) throw new Error("no tenant was created");
    const compared = await compareInTurns(
      () =>
        deliverToAll(context, {
          tenantId: tenant.tenantId,
          events: scale.fanOutEvents,
          endpoints: ENDPOINTS,
        }),
      () => postInALoop(context, receivers.urls.slice(0, ENDPOINTS), scale.fanOutEvents * ENDPOINTS),
      { scale, observe },
    );
    return { unit: "deliveries/s", ...compared };
  },
};

/** Measures the rate from the first request to the last, and the processor time until all deliveries have ended. */
async function deliverToAll(
  { platform, receivers }: BenchContext,
  { tenantId, events, endpoints }: { tenantId: string; events: number; endpoints: number },
) {
  const arriving = receivers.expect(events * endpoints);
  await publishEvents(platform, events, [tenantId]);
  const { count, firstAt, lastAt } = await arriving;
  await untilOver(platform, [tenantId]);
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}
