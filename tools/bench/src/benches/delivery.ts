// Draining events that wait on the broker to HTTPS endpoints, one subscription each, against a bare loop of POSTs.

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Bench, World } from "../bench-type.ts";
import { pidsOf } from "../cpu.ts";
import { drainDeliveries } from "../drain-deliveries.ts";
import { inTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";

const LOOP = path.resolve(import.meta.dirname, "../baseline/post-loop.ts");
/** As many as the webhooks service has under way. */
const CONCURRENCY = 200;
/** Of a webhook's body. */
const BYTES = 390;

export const delivery: Bench = {
  name: "delivery",
  what: "draining 50,000 events to 50 HTTPS endpoints; baseline: undici posting as many bytes to the same in a loop",
  target: "≥ 0.35",
  run: async (world) => {
    const { platform, receivers, scale } = world;
    const tenants = await benchTenants(
      platform,
      receivers.urls.map((url) => `${url}/`),
    );
    const compared = await inTurns(
      () =>
        drainDeliveries(
          world,
          tenants.map(({ tenantId }) => tenantId),
        ),
      () => post(world),
      { scale, programs: () => pidsOf(platform) },
    );
    return { unit: "deliveries/s", ...compared };
  },
};

async function post({ platform, receivers, scale }: World) {
  const arriving = receivers.expect(scale.deliveries);
  const args = [LOOP, ...[scale.deliveries, CONCURRENCY, BYTES].map(String), ...receivers.urls];
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(platform.dataDir, "ca/authority.crt") },
  });
  const { count, firstAt, lastAt } = await arriving;
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}
