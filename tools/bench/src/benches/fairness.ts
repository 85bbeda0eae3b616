// The effect of one endpoint that never responds and has a backlog on the webhooks of other tenants.
import { publishEvents } from "../publish-events.ts";
import { spread } from "../statistics.ts";
import { benchTenants, deleteSubscriptions } from "../tenants.ts";
import { untilFannedOut } from "../until-over.ts";
import { webhookLatency } from "../webhook-latency.ts";
import type { Bench } from "./bench.ts";

const PER_SECOND = 50;
const TENANTS = 8;

export const fairness: Bench = {
  name: "fairness",
  description:
    "the latency at 50/s while another endpoint hangs, with 20,000 deliveries waiting; baseline: without it",
  target: "≤ 2 ×",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const [hanging] = await benchTenants(platform, [`${receivers.urls[0]}/hang`]);
    if (hanging === undefined) throw new Error("no tenant was created");
    const { latency: baseline } = await webhookLatency(context, tenants, PER_SECOND);
    await publishEvents(platform, scale.hangingBacklog, [hanging.tenantId]);
    await untilFannedOut(platform, hanging.tenantId, scale.hangingBacklog);
    const { latency: measured } = await webhookLatency(context, tenants, PER_SECOND);
    await deleteSubscriptions(platform, hanging);
    return {
      unit: "ms (p99)",
      measured: measured.p99,
      baseline: baseline.p99,
      ratio: spread([measured.p50 / baseline.p50, measured.p99 / baseline.p99]),
      latencies: { "without the hanging endpoint": baseline, "with it": measured },
      notes: ["the ratio's bounds are the ratios of the p50 and of the p99"],
    };
  },
};
