// The cost of another replica: the same load on one, two and three processes of each service. Each number of replicas has its own
// platform, and the platforms take turns, so that other load on the machine slows down all of them.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTenants, type Platform, SERVICES, type TenantCredentials } from "@tradepost/devstack";
import { exchangeLatency } from "../exchange-latency.ts";
import { openLoop } from "../load/open-loop.ts";
import { serviceOrderRequests } from "../load/order-requests.ts";
import { observePlatform } from "../observe.ts";
import { startBenchPlatform } from "../platform.ts";
import { perUnit, sum } from "../processor-time.ts";
import { startReceivers } from "../receivers.ts";
import { medians } from "../result.ts";
import { type Percentiles, percentiles } from "../statistics.ts";
import type { Bench, BenchContext } from "./bench.ts";

const REPLICAS = [1, 2, 3];
const [ORDERS_PER_SECOND, EVENTS_PER_SECOND] = [200, 100];
const [TENANTS, LINES] = [8, 3];

interface Contender extends BenchContext {
  readonly replicas: number;
  readonly tenants: readonly TenantCredentials[];
}

interface Measured {
  readonly cpu: Readonly<Record<string, number>>;
  readonly latency: Percentiles;
}

export const replicas: Bench = {
  name: "replicas",
  description: `CPU-ms of all programs for an order, at ${ORDERS_PER_SECOND} a second straight to one, two and three orders services, and for an event with one webhook, at ${EVENTS_PER_SECOND} a second`,
  target: "none",
  run: async ({ scale }) => {
    await using running = new AsyncDisposableStack();
    const contenders: Contender[] = [];
    for (const count of REPLICAS) contenders.push(await start(count, scale, running));
    const orders = await inTurns(contenders, measureOrders);
    const events = await inTurns(contenders, ({ tenants, ...context }) =>
      exchangeLatency(context, tenants, EVENTS_PER_SECOND),
    );
    const totals = orders.map(({ cpu }) => sum(cpu));
    return {
      unit: "CPU-ms an order, with three replicas; baseline: with one",
      measured: totals.at(-1) as number,
      baseline: totals[0] as number,
      figures: Object.fromEntries([...figuresOf("order", orders), ...figuresOf("event", events)]),
      latencies: Object.fromEntries([...latenciesOf("orders", orders), ...latenciesOf("events", events)]),
    };
  },
};

async function start(
  count: number,
  scale: BenchContext["scale"],
  running: AsyncDisposableStack,
): Promise<Contender> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-bench-replicas-"));
  // If this runs as root, Postgres runs under another account, which needs execute permission here.
  await chmod(dataDir, 0o755);
  running.defer(() => rm(dataDir, { recursive: true, force: true }));
  const platform = await startBenchPlatform(dataDir, {}, () => {}, count);
  running.defer(() => platform.kill());
  const receivers = await startReceivers(dataDir, new Array<string>(TENANTS).fill("127.0.0.1"));
  running.defer(() => receivers.stop());
  const tenants = await createTenants(
    platform.url,
    platform.databases.gateway,
    receivers.urls.map((url, index) => ({
      slug: `replicas-${index + 1}`,
      subscription: { url: `${url}/`, events: ["redirect.added"] },
    })),
  );
  return { replicas: count, tenants, platform, receivers, scale, observe: observePlatform(platform, []) };
}

/** The first turn does not count, because code is compiled in it. */
async function inTurns(
  contenders: readonly Contender[],
  measure: (contender: Contender) => Promise<Measured>,
): Promise<Measured[]> {
  const measured = contenders.map((): Measured[] => []);
  const { isShort, turns } = (contenders[0] as Contender).scale;
  for (let turn = isShort ? 1 : 0; turn <= turns; turn += 1) {
    for (const [index, contender] of contenders.entries()) {
      const one = await measure(contender);
      if (turn > 0) measured[index]?.push({ ...one, cpu: byService(one.cpu, contender.platform) });
    }
  }
  return measured.map((ofOne) => ({
    cpu: medians(ofOne.map(({ cpu }) => cpu)),
    latency: medians(ofOne.map(({ latency }) => latency)),
  }));
}

/** Each replica gets an equal part of the rate. */
async function measureOrders({ platform, tenants, scale, observe }: Contender): Promise<Measured> {
  const request = serviceOrderRequests(tenants, LINES, platform.secrets.gatewaySecrets.orders);
  const urls = platform.services.filter(({ service }) => service === "orders").map(({ url }) => url);
  const perSecond = ORDERS_PER_SECOND / urls.length;
  const { outcome, cpuMs } = await observe(() =>
    Promise.all(
      urls.map((url) => openLoop({ url, perSecond, seconds: scale.seconds, request, expect: 201 })),
    ),
  );
  const latencies = outcome.flat();
  return { cpu: perUnit(cpuMs, latencies.length), latency: percentiles(latencies) };
}

/** Adds up the replicas of each service. */
function byService(cpu: Readonly<Record<string, number>>, { services }: Platform): Record<string, number> {
  const ofServices = SERVICES.map((name) => {
    const names = services.filter(({ service }) => service === name).map((process) => process.name);
    return [name, names.reduce((total, process) => total + (cpu[process] ?? 0), 0)];
  });
  const { postgres = 0, rabbitmq = 0 } = cpu;
  return { ...Object.fromEntries(ofServices), postgres, rabbitmq };
}

function figuresOf(unit: string, measured: readonly Measured[]): [string, number][] {
  return measured.flatMap(({ cpu }, index): [string, number][] => [
    [`CPU-ms an ${unit} with ${REPLICAS[index]} of each service`, sum(cpu)],
    ...Object.entries(cpu).map(([name, ms]): [string, number] => [
      `  ${name}, an ${unit}, ${REPLICAS[index]}`,
      ms,
    ]),
  ]);
}

function latenciesOf(what: string, measured: readonly Measured[]): [string, Percentiles][] {
  return measured.map(({ latency }, index) => [`${what} with ${REPLICAS[index]} of each service`, latency]);
}
