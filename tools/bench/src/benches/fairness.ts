// The effect of one endpoint that never responds and has a backlog on the webhooks of other tenants.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, sleep } from "@tradepost/runtime";
import { apiClient, bearer } from "@tradepost/testing";
import { publishEvents } from "../publish-events.ts";
import { spread } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import { webhookLatency } from "../webhook-latency.ts";
import type { Bench, BenchContext } from "./bench.ts";

const PER_SECOND = 50;
const TENANTS = 8;
const POLL_MS = 100;

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
    const baseline = await webhookLatency(context, tenants, PER_SECOND);
    await publishEvents(platform, scale.hangingBacklog, [hanging.tenantId]);
    await untilFannedOut(context, hanging.tenantId);
    const measured = await webhookLatency(context, tenants, PER_SECOND);
    await deleteSubscriptions(context, hanging.ownerToken);
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

async function untilFannedOut({ platform, scale }: BenchContext, tenantId: string): Promise<void> {
  const logger = createLogger("bench", "silent");
  const { pool, stop } = connectPostgres({
    url: platform.databases.webhooks,
    name: "bench",
    connectionsMax: 1,
    logger,
  });
  for (let count = 0; count < scale.hangingBacklog; ) {
    await sleep(POLL_MS);
    const { rows } = await pool.query<{ count: string }>("select count(*) from events where tenant_id = $1", [
      tenantId,
    ]);
    count = Number(rows[0]?.count);
  }
  await stop();
}

/** Also cancels the waiting deliveries. */
async function deleteSubscriptions({ platform }: BenchContext, ownerToken: string): Promise<void> {
  const owner = apiClient(platform.url, bearer(ownerToken));
  const { body } = await owner.get("/v1/webhooks/subscriptions");
  for (const { id } of body.data as { id: string }[]) await owner.delete(`/v1/webhooks/subscriptions/${id}`);
}
