// Counts deliveries that wait to be sent, for `ops backlog`.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface Backlog {
  readonly tenantId: string;
  /** Present in a backlog by endpoint. */
  readonly subscriptionId?: string;
  /** Deliveries that are pending or retrying, including attempts in progress; paused deliveries do not count. */
  readonly waiting: number;
  /** Seconds since the oldest of them was created. */
  readonly oldestSeconds: number;
  /** How many of them have failed before. */
  readonly failing: number;
}

/**
 * Returns a row for each tenant, or each endpoint, with waiting deliveries, the oldest first. `deliveries` has only open
 * deliveries, so reading it once is the cheapest way to count them.
 */
export async function readBacklog(db: Kysely<Tables>, by: "tenant" | "endpoint"): Promise<Backlog[]> {
  const endpoint = sql.raw(by === "endpoint" ? ", subscription_id" : "");
  const { rows } = await sql<Backlog>`
    select tenant_id as "tenantId"${sql.raw(by === "endpoint" ? ', subscription_id as "subscriptionId"' : "")},
           count(*)::float as waiting,
           round(greatest(0, extract(epoch from clock_timestamp() - min(created_at)))::numeric, 1)::float as "oldestSeconds",
           count(*) filter (where status = 'retrying')::float as failing
      from deliveries
     where status in ('pending', 'retrying') and tenant_id <> ${CANARY_TENANT_ID}
     group by tenant_id${endpoint}
     order by min(created_at), tenant_id${endpoint}`.execute(db);
  return rows;
}
