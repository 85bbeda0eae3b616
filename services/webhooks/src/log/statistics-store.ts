// Counts attempts by time, with percentiles of their durations (interface §19). Reads the attempts, so it is exact.
import { sql } from "kysely";
import { z } from "zod";
import type { Sight } from "../offered-types.ts";
import type { Tenant } from "../tables.ts";

export const STEP_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export interface Buckets {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly by: keyof typeof STEP_MS;
}

const count = z.int().nonnegative();
const duration = z.int().nonnegative().nullable();

export const counts = z.strictObject({
  attempts: count.describe("The sum of the two others."),
  delivered: count,
  failed: count,
  durationP50Ms: duration.describe("The median in ms; null without attempts."),
  durationP95Ms: duration.describe("95 % of the attempts took at most this long, in ms."),
});

type Counts = z.output<typeof counts>;

const NONE: Counts = { attempts: 0, delivered: 0, failed: 0, durationP50Ms: null, durationP95Ms: null };

export function countOf({ from, to, by }: Buckets): number {
  return Math.ceil(to.getTime() / STEP_MS[by]) - Math.floor(from.getTime() / STEP_MS[by]);
}

function startsOf(buckets: Buckets): Date[] {
  const step = STEP_MS[buckets.by];
  const first = Math.floor(buckets.from.getTime() / step);
  return Array.from({ length: countOf(buckets) }, (_, index) => new Date((first + index) * step));
}

export async function readStatistics(
  { db, tenantId }: Tenant,
  subscriptionId: string | undefined,
  buckets: Buckets,
  { hidesOrders }: Sight = {},
): Promise<{ buckets: ({ at: Date } & Counts)[]; total: Counts }> {
  const { from, to, by } = buckets;
  const rows = await db.transaction().execute(async (tx) => {
    // The index by time can only be read as a bitmap.
    await sql`set local enable_bitmapscan = on`.execute(tx);
    const { rows } = await sql<{ at: Date | null } & Counts>`
      select date_trunc(${by}, at, 'UTC') as at, count(*)::integer as attempts,
             count(*) filter (where outcome = 'delivered')::integer as delivered,
             count(*) filter (where outcome <> 'delivered')::integer as failed,
             percentile_disc(0.5) within group (order by duration_ms) as "durationP50Ms",
             percentile_disc(0.95) within group (order by duration_ms) as "durationP95Ms"
        from attempts
       where tenant_id = ${tenantId} and at >= ${from} and at < ${to}
         ${subscriptionId === undefined ? sql`` : sql`and subscription_id = ${subscriptionId}`}
         ${hidesOrders ? sql`and is_of_order is null` : sql``}
       group by rollup (1)`.execute(tx);
    return rows;
  });
  const found = new Map(rows.map(({ at, ...counts }) => [at?.getTime(), counts]));
  return {
    buckets: startsOf(buckets).map((at) => ({ at, ...(found.get(at.getTime()) ?? NONE) })),
    total: found.get(undefined) ?? NONE,
  };
}
