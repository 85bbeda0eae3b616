// Finds committed events in the relay's tables by their id or their resource, for `ops events find`.
import { type QueryExecutorProvider, sql } from "kysely";

export interface CommittedEvent {
  readonly eventId: string;
  readonly tenantId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly state: "outbox" | "published";
  /** In the outbox: set aside, because it cannot be published. */
  readonly isParked: boolean;
  /** In the outbox: why it was not published yet; null before the first try. */
  readonly lastError: string | null;
}

/**
 * Returns the events whose id, or whose resource's id, is `id`: at most `limit`, the newest, in the order of their commits. It
 * reads as the owner of a service's database, by index. An event that a relay is just moving is found once.
 */
export async function findEvents(
  db: QueryExecutorProvider,
  { id, tenantId = null, limit }: { id: string; tenantId?: string | null | undefined; limit: number },
): Promise<CommittedEvent[]> {
  const isOfTenant = sql`(${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`;
  // A branch for each index. `union`, because a resource may have the id of an event.
  const { rows } = await sql<CommittedEvent>`
    with event as (
      (select id, event_id, tenant_id, type, occurred_at, 'outbox' as state, parked_at is not null as is_parked, last_error
         from outbox where event_id = ${id} and ${isOfTenant})
       union
      (select id, event_id, tenant_id, type, occurred_at, 'outbox', parked_at is not null, last_error
         from outbox where aggregate_id = ${id} and ${isOfTenant}
        order by id desc limit ${limit})
       union
      (select id, event_id, tenant_id, type, occurred_at, 'published', false, null
         from published_events where event_id = ${id} and ${isOfTenant})
       union
      (select id, event_id, tenant_id, type, occurred_at, 'published', false, null
         from published_events where aggregate_id = ${id} and ${isOfTenant}
        order by id desc limit ${limit})
    )
    select event_id as "eventId", tenant_id as "tenantId", type, occurred_at as "occurredAt", state,
           is_parked as "isParked", last_error as "lastError"
      from (select * from event order by id desc limit ${limit}) as newest
     order by id`.execute(db);
  return rows;
}
