// How long the webhooks of other tenants wait while many endpoints hang.
import type { TenantCredentials } from "@tradepost/devstack";
import { settlesWithin } from "@tradepost/runtime";
import { atRate } from "../load/loops.ts";
import { type EventPublisher, publishEvents, startEventPublisher } from "../publish-events.ts";
import { loopbackAddresses, type Receivers, startReceivers } from "../receivers.ts";
import { now, percentiles } from "../statistics.ts";
import { benchTenants, deleteSubscriptions, untilFannedOut, untilOver } from "../tenants.ts";
import type { Bench, BenchContext } from "./bench.ts";

const EVENTS_PER_SECOND = 2;
/** The number of events after which an endpoint is proven. */
const PROVING_EVENTS = 30;
const WAIT_MAX_MS = 240_000;

interface Stranger {
  readonly what: "a proven endpoint" | "a new endpoint";
  readonly tenantId: string;
}

export const outage: Bench = {
  name: "outage",
  description:
    "milliseconds from publish to request for other tenants, proven and new, while 300 endpoints of 6 tenants hang",
  target: "the first attempt within 1,000 ms; 200 is ambitious",
  run: async (context) => {
    const { platform } = context;
    // Each healthy endpoint has its own host.
    const healthy = await startReceivers(platform.dataDir, loopbackAddresses(0, 2));
    const publisher = await startEventPublisher(platform);
    try {
      const strangers = await createStrangers(context, healthy, publisher);
      const hanging = await hang(context);
      const waits = await measure(context, strangers, healthy, publisher);
      await hanging.end();
      const figures: Record<string, number> = {};
      for (const { what, ms } of waits) {
        figures[`${what}: first, ms`] = ms[0] ?? Number.NaN;
        figures[`${what}: p50, ms`] = percentiles(ms).p50;
        figures[`${what}: longest, ms`] = Math.max(...ms);
      }
      const measured = Math.max(...waits.map(({ ms }) => ms[0] ?? Number.NaN));
      return { unit: "ms (the slowest first attempt)", measured, figures };
    } finally {
      await publisher.stop();
      await healthy.stop();
    }
  },
};

async function createStrangers(
  { platform }: BenchContext,
  healthy: Receivers,
  publisher: EventPublisher,
): Promise<Stranger[]> {
  const urls = healthy.urls.map((url) => `${url}/`);
  const [proven, fresh] = (await benchTenants(platform, urls)) as [TenantCredentials, TenantCredentials];
  const arriving = healthy.expect(PROVING_EVENTS);
  for (let sent = 0; sent < PROVING_EVENTS; sent += 1) await publisher.publish(proven.tenantId);
  await arriving;
  await untilOver(platform, [proven.tenantId]);
  return [
    { what: "a proven endpoint", tenantId: proven.tenantId },
    { what: "a new endpoint", tenantId: fresh.tenantId },
  ];
}

/** Makes endpoints hang. Resolves when events wait for each; `end` cancels these events. */
async function hang({ platform, scale }: BenchContext) {
  const { hangingTenants, hangingEndpoints, hangingEvents } = scale;
  const addresses = loopbackAddresses(1, hangingTenants * hangingEndpoints);
  // These receivers run in their own thread, so waiting connections do not slow down the measured endpoints.
  const receivers = await startReceivers(platform.dataDir, addresses, { hangs: true });
  const urlsOf = (tenant: number) =>
    receivers.urls.slice(tenant * hangingEndpoints, (tenant + 1) * hangingEndpoints);
  const endpoints = Array.from({ length: hangingTenants }, (_, of) => urlsOf(of).map((url) => `${url}/`));
  const tenants = await benchTenants(platform, endpoints);
  const ids = tenants.map(({ tenantId }) => tenantId);
  await publishEvents(platform, hangingEvents * hangingTenants, ids);
  for (const id of ids) await untilFannedOut(platform, id, hangingEvents);
  const end = async () => {
    for (const tenant of tenants) await deleteSubscriptions(platform, tenant);
    await receivers.stop();
    await untilOver(platform, ids);
  };
  return { end };
}

/** In order. A webhook that has not arrived at the end counts until then. */
async function measure(
  { scale }: BenchContext,
  strangers: readonly Stranger[],
  healthy: Receivers,
  publisher: EventPublisher,
) {
  const rate = { perSecond: EVENTS_PER_SECOND, seconds: scale.strangerSeconds };
  const arriving = healthy.expect(strangers.length * rate.perSecond * rate.seconds);
  const publish = async ({ tenantId }: Stranger) => {
    const at = now();
    return { id: await publisher.publish(tenantId), at };
  };
  const published = await atRate(rate, () => Promise.all(strangers.map(publish)));
  await settlesWithin(arriving, WAIT_MAX_MS);
  const { arrivedAt } = await healthy.arrivals();
  const endedAt = now();
  return strangers.map(({ what }, index) => ({
    what,
    ms: published.map((ofAll) => {
      const { id, at } = ofAll[index] as { id: string; at: number };
      return (arrivedAt.get(id) ?? endedAt) - at;
    }),
  }));
}
