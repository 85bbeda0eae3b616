// Delivers each event to 50 HTTPS endpoints whose subscriptions have a filter that matches, compared with 50 without a filter.

import { compareInTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench } from "./bench.ts";
import { deliverToAll } from "./fan-out.ts";

const ENDPOINTS = 50;
const FILTER = { fromPrefix: ["/blog/", "/news/", "/bench/"] };

export const fanOutFilters: Bench = {
  name: "filters",
  description: "delivering 600 events to 50 HTTPS endpoints with a filter each; baseline: without filters",
  target: "≥ 0.90",
  run: async (context) => {
    const { platform, receivers, scale, observe } = context;
    const urls = (name: string) =>
      Array.from({ length: ENDPOINTS }, (_, index) => {
        const receiver = receivers.urls[index % receivers.urls.length] as string;
        return `${receiver}/${name}-${index + 1}`;
      });
    const [filtered] = await benchTenants(platform, [urls("filtered")], FILTER);
    const [unfiltered] = await benchTenants(platform, [urls("unfiltered")]);
    if (filtered === undefined || unfiltered === undefined) throw new Error("no tenant was created");
    const events = Math.ceil(scale.fanOutEvents / 5);
    const deliverTo = (tenantId: string) => () =>
      deliverToAll(context, { tenantId, events, endpoints: ENDPOINTS });
    const compared = await compareInTurns(deliverTo(filtered.tenantId), deliverTo(unfiltered.tenantId), {
      scale,
      observe,
    });
    return { unit: "deliveries/s", ...compared };
  },
};
