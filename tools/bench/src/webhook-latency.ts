// Creates redirects at a fixed rate and measures the time from each commit to the webhook's request, and the processor time.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import pg from "pg";
import type { BenchContext } from "./benches/bench.ts";
import { requestText } from "./load/connection.ts";
import { atRate, openLoop } from "./load/loops.ts";
import { perUnit } from "./observe.ts";
import { startEventPublisher } from "./publish-events.ts";
import { now, type Percentiles, percentiles } from "./statistics.ts";

const WARM_UP_SECONDS = 1;

/** Each tenant must have one subscription, to a receiver of the bench. `cpu` is in milliseconds per webhook, by program. */
export async function webhookLatency(
  { platform, receivers, scale, observe }: BenchContext,
  tenants: readonly TenantCredentials[],
  perSecond: number,
): Promise<{ latency: Percentiles; cpu: Record<string, number> }> {
  let sent = 0;
  const request = () => {
    const { apiKey } = tenants[sent % tenants.length] as TenantCredentials;
    sent += 1;
    const body = JSON.stringify({ from: `/bench/${randomUUID()}`, to: "/shop", type: 301 });
    return requestText("POST", "/v1/redirects", { authorization: `Bearer ${apiKey}` }, body);
  };
  const send = async (seconds: number) => {
    const arriving = receivers.expect(Math.round(perSecond * seconds));
    await openLoop({ url: platform.url, perSecond, seconds, request, expect: 201 });
    return await arriving;
  };
  await send(WARM_UP_SECONDS);
  const {
    outcome: { arrivedAt, count },
    cpuMs,
  } = await observe(() => send(scale.seconds));
  const committedAt = await commitTimes(platform.superuserUrl ?? "", platform.databases.content, [
    ...arrivedAt.keys(),
  ]);
  const latency = percentiles([...arrivedAt].map(([id, at]) => at - (committedAt.get(id) ?? Number.NaN)));
  return { latency, cpu: perUnit(cpuMs, count) };
}

/** Returns the commit times by redirect, in milliseconds since the epoch, as Postgres recorded them. */
async function commitTimes(
  postgresUrl: string,
  contentUrl: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const client = new pg.Client(new URL(new URL(contentUrl).pathname, postgresUrl).href);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; at: string }>(
      "select id, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as at from redirects where id = any($1::uuid[])",
      [ids],
    );
    return new Map(rows.map(({ id, at }) => [id, Number(at)]));
  } finally {
    await client.end();
  }
}

/** Each tenant must have one subscription, to a receiver of the bench. `cpu` is in milliseconds per webhook, by program. */
export async function exchangeLatency(
  { platform, receivers, scale, observe }: BenchContext,
  tenants: readonly TenantCredentials[],
  perSecond: number,
): Promise<{ latency: Percentiles; cpu: Record<string, number> }> {
  const publisher = await startEventPublisher(platform);
  const publish = async (index: number) => {
    const { tenantId } = tenants[index % tenants.length] as TenantCredentials;
    const at = now();
    return [await publisher.publish(tenantId), at] as const;
  };
  const send = async (seconds: number) => {
    const arriving = receivers.expect(Math.round(perSecond * seconds));
    const published = await atRate({ perSecond, seconds }, publish);
    return { published, arrivals: await arriving };
  };
  try {
    await send(WARM_UP_SECONDS);
    const { outcome, cpuMs } = await observe(() => send(scale.seconds));
    const { published, arrivals } = outcome;
    const latency = percentiles(published.map(([id, at]) => (arrivals.arrivedAt.get(id) ?? Number.NaN) - at));
    return { latency, cpu: perUnit(cpuMs, published.length) };
  } finally {
    await publisher.stop();
  }
}
