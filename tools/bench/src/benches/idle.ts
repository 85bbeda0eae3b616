// The processor time and the memory of a platform that has nothing to do.
import { residentBytes, SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import { perUnit } from "../observe.ts";
import type { MeasuredPlatform } from "../platform.ts";
import type { Samples } from "../ratios.ts";
import { eightTenants } from "../tenants.ts";
import { redirectsAtFullLoad } from "../webhook-latency.ts";
import type { Bench, MeasureContext } from "./bench.ts";
import { orderLoop } from "./orders.ts";

/** Long enough for the work that follows a start to end, and for the services to have come to rest and returned memory. */
const SETTLE_MS = 75_000;
const PERCENT_PER_MS_A_SECOND = 0.1;
/** Samples of a time at rest. */
const WINDOWS = 3;

export const idle: Bench = {
  name: "idle",
  description: "% of a core that the four services, Postgres and RabbitMQ use for a minute without work",
  target: "≤ 1.5 % for the services; 0.8 % is ambitious",
  run: async (context) => {
    if (!context.scale.isShort) await sleep(SETTLE_MS);
    const perSecond = await idleTime(context, context.scale.idleSeconds);
    const figures = Object.entries(perSecond).map(([name, ms]) => {
      return [`${name}, % of a core`, ms * PERCENT_PER_MS_A_SECOND];
    });
    const measured = percentOfServices(perSecond);
    return { unit: "% of a core", measured, figures: Object.fromEntries(figures) };
  },
  atOnce: async (contexts) => {
    await Promise.all(contexts.map(load));
    const loadedAt = performance.now();
    return await Promise.all(contexts.map((context) => atRest(context, loadedAt)));
  },
};

async function load(context: MeasureContext): Promise<void> {
  const { platform, scale } = context;
  await redirectsAtFullLoad(context, await eightTenants(context), scale.redirects);
  const placeOrders = await orderLoop(platform);
  await placeOrders(scale.seconds);
}

async function atRest(context: MeasureContext, loadedAt: number): Promise<Samples> {
  const { restSeconds, idleSeconds } = context.scale;
  const samples: Record<string, number[]> = {};
  for (const seconds of restSeconds) {
    const ofServices: number[] = [];
    const ofPostgres: number[] = [];
    await sleep(Math.max(0, loadedAt + seconds * 1_000 - performance.now()));
    for (let window = 0; window < WINDOWS; window += 1) {
      const perSecond = await idleTime(context, idleSeconds);
      ofServices.push(percentOfServices(perSecond));
      ofPostgres.push((perSecond.postgres ?? 0) * PERCENT_PER_MS_A_SECOND);
    }
    samples[`four services, ${seconds} s after a load: % of a core`] = ofServices;
    samples[`Postgres, ${seconds} s after a load: % of a core`] = ofPostgres;
  }
  samples["four services at rest after a load: MB"] = [residentMB(context.platform)];
  return samples;
}

function percentOfServices(perSecond: Readonly<Record<string, number>>): number {
  return SERVICES.reduce((total, name) => total + (perSecond[name] ?? 0), 0) * PERCENT_PER_MS_A_SECOND;
}

/** Of all services. */
function residentMB({ pid }: MeasuredPlatform): number {
  const ofEach = SERVICES.map((name) => residentBytes(pid(name) ?? 0) ?? Number.NaN);
  return ofEach.reduce((total, bytes) => total + bytes, 0) / 1_000_000;
}

/** Milliseconds of processor time per second, by program. */
async function idleTime({ observe }: MeasureContext, seconds: number): Promise<Record<string, number>> {
  const { cpuMs } = await observe(() => sleep(seconds * 1_000));
  return perUnit(cpuMs, seconds);
}
