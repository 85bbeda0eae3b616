// Finds committed events in the relay's tables by their id or their resource, for `ops events find`.
import { type QueryExecutorProvider, sql } from "kysely";

export interface CommittedEvent {
  readonly eventId: string;
  readonly tenantId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly state: "outbox" | "published";
  /** True for an event in the outbox that was set aside because it cannot be published. */
  readonly isParked: boolean;
  /** Why the last attempt to publish an event of the outbox failed; null before the first attempt, and once it is published. */
  readonly lastError: string | null;
}

/**
 * Returns the newest events whose id, or whose resource's id, is `id`, at most `limit`, in the order of their commits. `db` must
 * act as the owner of a service's database; the search uses an index. An event that a relay is moving at the moment is found once.
 */
export async function findEvents(
  db: QueryExecutorProvider,
  { id, tenantId = null, limit }: { id: string; tenantId?: string | null | undefined; limit: number },
): Promise<CommittedEvent[]> {
  const isOfTenant = sql`(${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`;
  // One branch per index. `union` removes duplicates, because a resource may have the id of an event.
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
