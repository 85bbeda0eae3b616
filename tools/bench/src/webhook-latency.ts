// Makes events with one webhook each, through the API or on the exchange, and measures the time to the webhook's request and the
// processor time.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { CLIENTS } from "./baseline/pgbench.ts";
import type { MeasureContext } from "./benches/bench.ts";
import { requestText } from "./load/connection.ts";
import { atRate, closedLoop, openLoop } from "./load/loops.ts";
import { inTurn } from "./load/order-requests.ts";
import { perUnit } from "./observe.ts";
import { startEventPublisher } from "./publish-events.ts";
import { now, percentiles } from "./statistics.ts";

const WARM_UP_SECONDS = 1;

/**
 * Creates redirects at a fixed rate; the time counts from when a request was due. Each tenant must have one subscription, to a receiver
 * of the bench.
 */
export function webhookLatency(
  context: MeasureContext,
  tenants: readonly TenantCredentials[],
  perSecond: number,
) {
  const nextRequest = redirectRequests(tenants);
  return measureLatency(context, perSecond, async (seconds, sentAt) => {
    const request = (due: number) => {
      const id = randomUUID();
      sentAt.set(id, performance.timeOrigin + due);
      return nextRequest(id);
    };
    await openLoop({ url: context.platform.url, perSecond, seconds, request, expect: 201 });
  });
}

async function measureLatency(
  { receivers, scale, observe }: MeasureContext,
  perSecond: number,
  send: (seconds: number, sentAt: Map<string, number>) => Promise<void>,
) {
  const sendAll = async (seconds: number) => {
    const sentAt = new Map<string, number>();
    const arriving = receivers.expect(Math.round(perSecond * seconds));
    await send(seconds, sentAt);
    return { sentAt, ...(await arriving) };
  };
  await sendAll(WARM_UP_SECONDS);
  const { outcome, cpuMs } = await observe(() => sendAll(scale.seconds));
  const { sentAt, arrivedAt, count } = outcome;
  const latency = percentiles([...arrivedAt].map(([id, at]) => at - (sentAt.get(id) ?? Number.NaN)));
  /** Milliseconds per webhook, by program. */
  const cpu = perUnit(cpuMs, count);
  return { latency, cpu };
}

/** Creates `count` redirects as fast as the platform accepts them, and waits for their webhooks. */
export async function redirectsAtFullLoad(
  { platform, receivers }: MeasureContext,
  tenants: readonly TenantCredentials[],
  count: number,
): Promise<void> {
  const nextRequest = redirectRequests(tenants);
  const arriving = receivers.expect(count);
  const accepted = await closedLoop({
    url: platform.url,
    connections: CLIENTS,
    until: { requests: count },
    request: () => nextRequest(randomUUID()),
    expect: 201,
  });
  if (accepted.count < count) throw new Error(`${count - accepted.count} of ${count} redirects were refused`);
  await arriving;
}

function redirectRequests(tenants: readonly TenantCredentials[]): (id: string) => string {
  return inTurn(tenants, ({ apiKey }, id: string) => {
    const body = JSON.stringify({ from: `/bench/${id}`, to: "/shop", type: 301 });
    return requestText("POST", "/v1/redirects", { authorization: `Bearer ${apiKey}` }, body);
  });
}

/** Publishes to the exchange; the time counts from the publication. */
export async function exchangeLatency(
  context: MeasureContext,
  tenants: readonly TenantCredentials[],
  perSecond: number,
) {
  const publisher = await startEventPublisher(context.platform);
  const measured = measureLatency(context, perSecond, async (seconds, sentAt) => {
    await atRate({ perSecond, seconds }, async (index) => {
      const { tenantId } = tenants[index % tenants.length] as TenantCredentials;
      const at = now();
      sentAt.set(await publisher.publish(tenantId), at);
    });
  });
  return await measured.finally(() => publisher.stop());
}
