import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { DeliveryOfEvent } from "./event-store.ts";

export interface ReceivedEvent {
  readonly eventId: string;
  readonly tenantId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly deliveries: readonly DeliveryOfEvent[];
}

/** Returns the newest events among `committed` and among the events of `tenantIds` whose id, or resource's id, is `id`. */
export async function findReceived(
  db: Kysely<Tables>,
  wanted: {
    id: string;
    tenantIds: readonly string[];
    committed: readonly { readonly tenantId: string; readonly eventId: string }[];
    limit: number;
  },
): Promise<ReceivedEvent[]> {
  const { id, tenantIds, committed, limit } = wanted;
  // With ranges of one value, only the index of the events fits, as in `event-store.ts`.
  const { rows } = await sql<ReceivedEvent>`
    with wanted as (
      select * from unnest(${committed.map(({ tenantId }) => tenantId)}::uuid[],
                           ${committed.map(({ eventId }) => eventId)}::uuid[]) as committed (tenant_id, id)
       union
      select tenant.id, ${id}::uuid from unnest(${tenantIds}::uuid[]) as tenant (id)
    ), event as (
      (select tenant_id, id, type, occurred_at from events
        where resource_id = ${id} and tenant_id = any(${tenantIds}::uuid[])
        order by id desc limit ${limit})
       union
      select found.tenant_id, found.id, type, occurred_at
        from wanted
       cross join lateral (
         select * from events
          where events.tenant_id = wanted.tenant_id and events.id >= wanted.id and events.id <= wanted.id
          order by events.id limit 1
       ) as found
    )
    select event.id as "eventId", event.tenant_id as "tenantId", event.type, event.occurred_at as "occurredAt",
           coalesce((
             select json_agg(json_build_object('id', delivery.id, 'subscriptionId', delivery.subscription_id,
                                               'status', delivery.status)
                             order by delivery.subscription_id)
               from all_deliveries as delivery
              where delivery.tenant_id = event.tenant_id and delivery.event_id = event.id), '[]') as deliveries
      from (select * from event order by id desc limit ${limit}) as event
     order by event.id`.execute(db);
  return rows;
}
