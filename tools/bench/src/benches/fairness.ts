// What a stranger's endpoint that never answers, with a backlog, does to everybody else's webhooks.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, sleep } from "@tradepost/runtime";
import { apiClient, bearer } from "@tradepost/testing";
import type { Bench, World } from "../bench-type.ts";
import { publishEvents } from "../publish-events.ts";
import { webhookLatency } from "../redirect-load.ts";
import { spread } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";

const PER_SECOND = 50;
const TENANTS = 8;
const LOOK_EVERY_MS = 100;

export const fairness: Bench = {
  name: "fairness",
  what: "the latency at 50/s while another endpoint hangs with 20,000 waiting; baseline: without it",
  target: "≤ 2 ×",
  run: async (world) => {
    const { platform, receivers, scale } = world;
    const tenants = await benchTenants(
      platform,
      receivers.urls.slice(0, TENANTS).map((url) => `${url}/`),
    );
    const [slow] = await benchTenants(platform, [`${receivers.urls[0]}/hang`]);
    if (slow === undefined) throw new Error("no tenant was made");
    const without = await webhookLatency(world, tenants, PER_SECOND);
    await publishEvents(platform, scale.waitingAtHanging, [slow.tenantId]);
    await untilFannedOut(world, slow.tenantId);
    const withIt = await webhookLatency(world, tenants, PER_SECOND);
    await leave(world, slow.ownerToken);
    return {
      unit: "ms (p99)",
      ours: withIt.p99,
      baseline: without.p99,
      ratio: spread([withIt.p50 / without.p50, withIt.p99 / without.p99]),
      latencies: { without, "with it": withIt },
      notes: ["the ratio is of the p50 and of the p99"],
    };
  },
};

async function untilFannedOut({ platform, scale }: World, tenantId: string): Promise<void> {
  const logger = createLogger("bench", "silent");
  const { pool, stop } = connectPostgres({
    url: platform.databases.webhooks,
    name: "bench",
    connectionsMax: 1,
    logger,
  });
  for (let count = 0; count < scale.waitingAtHanging; ) {
    await sleep(LOOK_EVERY_MS);
    const { rows } = await pool.query<{ count: string }>("select count(*) from events where tenant_id = $1", [
      tenantId,
    ]);
    count = Number(rows[0]?.count);
  }
  await stop();
}

/** Its deliveries are cancelled with its subscription. */
async function leave({ platform }: World, ownerToken: string): Promise<void> {
  const as = apiClient(platform.url, bearer(ownerToken));
  const { body } = await as.get("/v1/webhooks/subscriptions");
  for (const { id } of body.data as { id: string }[]) await as.delete(`/v1/webhooks/subscriptions/${id}`);
}
