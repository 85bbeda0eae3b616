// Draining events that wait on the broker to HTTPS endpoints, one subscription each, against a bare loop of POSTs.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import type { Bench, World } from "../bench-type.ts";
import { drainDeliveries } from "../drain-deliveries.ts";
import { inTurns } from "../result.ts";
import { benchTenants } from "../tenants.ts";

const LOOP = path.resolve(import.meta.dirname, "../yardstick/post-loop.ts");
/** As many as the webhooks service has under way. */
const CONCURRENCY = 200;
/** Of a webhook's body. */
const BYTES = 390;

export const delivery: Bench = {
  name: "delivery",
  what: "draining 50,000 events to 50 HTTPS endpoints; yardstick: undici posting as many bytes to the same in a loop",
  target: "≥ 0.35",
  run: async (world) => {
    const { stack, receivers, scale } = world;
    const tenants = await benchTenants(
      stack,
      receivers.urls.map((url) => `${url}/`),
    );
    const compared = await inTurns(
      () =>
        drainDeliveries(
          world,
          tenants.map(({ tenantId }) => tenantId),
        ),
      () => post(world),
      { scale, programs: stack.programs },
    );
    return { unit: "deliveries/s", ...compared };
  },
};

async function post({ stack, receivers, scale }: World) {
  const arriving = receivers.expect(scale.deliveries);
  const args = [LOOP, ...[scale.deliveries, CONCURRENCY, BYTES].map(String), ...receivers.urls];
  await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(stack.dataDir, "ca/authority.crt") },
  });
  const { count, firstAt, lastAt } = await arriving;
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}
