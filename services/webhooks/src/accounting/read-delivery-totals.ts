// Counts, for each tenant, the events since a time, their deliveries by status, and the events that have a wrong number of
// deliveries. It is one statement, so all counts are of the same moment.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { firstIdAt } from "./first-id.ts";

export interface DeliveryTotals {
  readonly tenantId: string;
  /** The ids of the tenant's events but for the examples that admins sent as tests, 16 bytes each, in ascending order. */
  readonly known: Buffer;
  /** How many deliveries the events should have. Older events did not store it and count as many as they have. */
  readonly matched: number;
  readonly delivered: number;
  readonly failed: number;
  readonly paused: number;
  readonly cancelled: number;
  readonly inFlight: number;
  /** How many events have more or fewer deliveries than they matched, and the ids of the first of them. */
  readonly mismatchedCount: number;
  readonly mismatched: readonly string[];
}

// More than the clocks of the services and databases differ.
const CLOCKS_DIFFER_MS = 60 * 60 * 1_000;

/**
 * Counts events that occurred at or after `since`, including the test events that admins sent. `since` must be within the
 * retention of the delivery log: deliveries that were dropped with their day would seem to be lost.
 */
export async function readDeliveryTotals(
  db: Kysely<Tables>,
  since: Date,
  idsMax: number,
): Promise<DeliveryTotals[]> {
  const margin = new Date(since.getTime() - CLOCKS_DIFFER_MS);
  const firstId = firstIdAt(margin);
  const { rows } = await sql<DeliveryTotals>`
    with event as (
      select tenant_id, id, matched, is_test from events where id >= ${firstId} and occurred_at >= ${since}
       union all -- Ids that contain no time.
      select tenant_id, id, matched, is_test from events_other where id < ${firstId} and occurred_at >= ${since}
    ), delivery as (
      select tenant_id, event_id, status from deliveries
       union all
      select tenant_id, event_id, status from delivery_log where completed_at >= ${margin}
    ), made as (
      select tenant_id, event_id as id, count(*) as count,
             count(*) filter (where status = 'delivered') as delivered,
             count(*) filter (where status = 'failed') as failed,
             count(*) filter (where status = 'paused') as paused,
             count(*) filter (where status = 'cancelled') as cancelled,
             count(*) filter (where status in ('pending', 'retrying')) as in_flight
        from delivery
       group by tenant_id, event_id
    )
    select tenant_id as "tenantId",
           coalesce(string_agg(uuid_send(id), ''::bytea order by id) filter (where not is_test), '') as known,
           coalesce(sum(coalesce(matched, made.count)), 0)::float as matched,
           coalesce(sum(delivered), 0)::float as delivered,
           coalesce(sum(failed), 0)::float as failed,
           coalesce(sum(paused), 0)::float as paused,
           coalesce(sum(cancelled), 0)::float as cancelled,
           coalesce(sum(in_flight), 0)::float as "inFlight",
           count(*) filter (where matched <> coalesce(made.count, 0))::float as "mismatchedCount",
           coalesce((array_agg(id order by id) filter (where matched <> coalesce(made.count, 0)))[1:${idsMax}::integer],
                    '{}') as mismatched
      from event left join made using (tenant_id, id)
     group by tenant_id`.execute(db);
  return rows;
}
