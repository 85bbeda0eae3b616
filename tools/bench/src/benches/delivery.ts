// Delivers a backlog of events to HTTPS endpoints, one subscription each.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { drainDeliveries } from "../drain-deliveries.ts";
import { pidsOf } from "../processor-time.ts";
import { compareInTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench, BenchContext } from "./bench.ts";

const LOOP = path.resolve(import.meta.dirname, "../baseline/post-loop.ts");
/** The webhooks service's limit of requests in flight. */
const CONCURRENCY = 200;
/** The length of a webhook's body. */
const BODY_BYTES = 390;

export const delivery: Bench = {
  name: "delivery",
  description:
    "delivering 50,000 events to 50 HTTPS endpoints; baseline: undici posting bodies of the same size in a loop",
  target: "≥ 0.35",
  run: async (context) => {
    const { platform, receivers, scale } = context;
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
      () => post(context),
      { scale, programs: () => pidsOf(platform) },
    );
    return { unit: "deliveries/s", ...compared };
  },
};

async function post({ platform, receivers, scale }: BenchContext) {
  const arriving = receivers.expect(scale.deliveries);
  const args = [LOOP, ...[scale.deliveries, CONCURRENCY, BODY_BYTES].map(String), ...receivers.urls];
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(platform.dataDir, "ca/authority.crt") },
  });
  const { count, firstAt, lastAt } = await arriving;
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}
