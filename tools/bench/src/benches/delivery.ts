// Delivers a backlog of events to HTTPS endpoints. Each tenant has only one.

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { observeToRest, sum } from "../observe.ts";
import { publishEvents } from "../publish-events.ts";
import { compareInTurns } from "../result.ts";
import { benchTenants, eightTenants, untilOver } from "../tenants.ts";
import { redirectsAtFullLoad } from "../webhook-latency.ts";
import type { Bench, BenchContext, MeasureContext } from "./bench.ts";

export const delivery: Bench = {
  name: "delivery",
  description:
    "delivering 50,000 events of 50 tenants to one HTTPS endpoint each; baseline: undici posting bodies of the same size in a loop",
  target: "≥ 0.30; 0.40 is ambitious",
  run: async (context) => {
    const { platform, receivers, scale, observe } = context;
    const endpoints = receivers.urls.map((url) => `${url}/`);
    const tenants = await benchTenants(platform, endpoints);
    const tenantIds = tenants.map(({ tenantId }) => tenantId);
    const compared = await compareInTurns(
      () => drainDeliveries(context, tenantIds),
      () => postInALoop(context, receivers.urls, scale.deliveries),
      { scale, observe },
    );
    return { unit: "deliveries/s", ...compared };
  },
  turn: async (context) => {
    const { redirects } = context.scale;
    const tenants = await eightTenants(context);
    const { cpuMs } = await observeToRest(context, () => redirectsAtFullLoad(context, tenants, redirects));
    return { "redirect with one webhook, full load: CPU-ms": [sum(cpuMs) / redirects] };
  },
};

const ENDPOINTS = 10;

export const fanOut: Bench = {
  name: "fan-out",
  description:
    "delivering 3,000 events of one tenant to 10 HTTPS endpoints each; baseline: undici posting bodies of the same size in a loop",
  target: "≥ 0.45, ≤ 0.75 CPU-ms; 0.55 and 0.5 are ambitious",
  run: async (context) => {
    const { receivers, scale, observe } = context;
    const tenantId = await tenantWithEndpoints(context);
    const compared = await compareInTurns(
      () => deliverToAll(context, tenantId),
      () => postInALoop(context, receivers.urls.slice(0, ENDPOINTS), scale.fanOutEvents * ENDPOINTS),
      { scale, observe },
    );
    return { unit: "deliveries/s", ...compared };
  },
  turn: async (context) => {
    const tenantId = await tenantWithEndpoints(context);
    const { outcome, cpuMs } = await context.observe(() => deliverToAll(context, tenantId));
    return {
      "delivery of fan-out to 10: CPU-ms": [sum(cpuMs) / outcome.count],
      "deliveries of fan-out to 10 a second": [outcome.perSecond],
    };
  },
};

async function tenantWithEndpoints({ platform, receivers }: MeasureContext): Promise<string> {
  // With `--short` there are fewer receivers than endpoints.
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => {
    const receiver = receivers.urls[index % receivers.urls.length] as string;
    return `${receiver}/fan-out-${index + 1}`;
  });
  const [tenant] = await benchTenants(platform, [urls]);
  if (tenant === undefined) throw new Error("no tenant was created");
  return tenant.tenantId;
}

/** Measures the rate from the first request to the last, and the processor time until all deliveries have ended. */
async function deliverToAll({ platform, receivers, scale }: MeasureContext, tenantId: string) {
  const arriving = receivers.expect(scale.fanOutEvents * ENDPOINTS);
  await publishEvents(platform, scale.fanOutEvents, [tenantId]);
  const { count, firstAt, lastAt } = await arriving;
  await untilOver(platform, [tenantId]);
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}

/** The events belong to the tenants in turn. The time counts from the first request to the last, so it excludes the start. */
async function drainDeliveries({ platform, receivers, scale }: BenchContext, tenantIds: readonly string[]) {
  const service = platform.process("webhooks");
  service.kill({ pause: true });
  await publishEvents(platform, scale.deliveries, tenantIds);
  const arriving = receivers.expect(scale.deliveries);
  await service.resume();
  const { count, firstAt, lastAt } = await arriving;
  await platform.untilReady();
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000 };
}

const LOOP = path.resolve(import.meta.dirname, "../baseline/post-loop.ts");
/** The webhooks service's limit of requests in flight. */
const CONCURRENCY = 200;
const BODY_BYTES = 420;

/** The time counts from the first request to the last. */
async function postInALoop(
  { platform, receivers }: BenchContext,
  urls: readonly string[],
  count: number,
): Promise<{ count: number; perSecond: number; cpuMs: number }> {
  const arriving = receivers.expect(count);
  const args = [LOOP, ...[count, CONCURRENCY, BODY_BYTES].map(String), ...urls];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(platform.dataDir, "ca/authority.crt") },
  });
  const { firstAt, lastAt } = await arriving;
  return { count, perSecond: (count / (lastAt - firstAt)) * 1_000, cpuMs: Number(stdout) };
}
