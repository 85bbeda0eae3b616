// Rewrites the events of customers and orders, which change feeds list for as long as they are kept, and adds the events of an erasure.
import type { NewOutboxRow } from "@tradepost/messaging";
import { columnsOf, namedStatement, parametersOf, type TenantStatements } from "@tradepost/postgres";
import { eventColumns } from "../event-columns.ts";
import type { Tables } from "../tables.ts";
import { erasedEvent } from "./erase-texts.ts";
import { portionsOf } from "./portions.ts";

/**
 * Erases the data of all events of these aggregates, whose rows must be locked. Returns how many it has changed. The outbox comes first:
 * an event that the relay moves meanwhile is among the published ones afterwards.
 */
export async function eraseEvents(
  tx: TenantStatements<Tables>,
  aggregateIds: readonly string[],
): Promise<number> {
  let changed = 0;
  for (const { find, read, write } of [OUTBOX, PUBLISHED]) {
    // Planned for its values: a plan from when the table was empty might read all events of the tenant.
    const { rows: found } = await tx.query<{ id: string; bytes: number }>({
      ...{ text: find, values: [tx.tenantId, aggregateIds], isPrepared: false },
    });
    for (const portion of portionsOf(found)) {
      const { rows } = await tx.query<{ id: string; data: string }>({
        ...{
          text: read,
          values: [tx.tenantId, aggregateIds, portion.map(({ id }) => id)],
          isPrepared: false,
        },
      });
      const erased = rows
        .map(({ id, data }) => ({ id, data, left: erasedEvent(data) }))
        .filter(({ data, left }) => left !== data);
      if (erased.length === 0) continue;
      const values = [tx.tenantId, erased.map(({ id }) => id), erased.map(({ left }) => left)];
      await tx.query({ text: write, values, isPrepared: false });
      changed += erased.length;
    }
  }
  return changed;
}

// No shard of the outbox has it, so an erasure never waits for a relay's count. Its sums are negative.
const SHARD = -1;

// In the order in which the relay locks them.
const OUTBOX = {
  find: `
    select event_id as id, octet_length(data::text) as bytes from outbox
     where tenant_id = $1 and aggregate_id = any($2::uuid[]) order by outbox.id for update`,
  read: `
    select event_id as id, data::text as data from outbox
     where tenant_id = $1 and aggregate_id = any($2::uuid[]) and event_id = any($3::uuid[])`,
  write: `
    update outbox set data = erased.data::json
      from unnest($2::uuid[], $3::text[]) as erased (id, data)
     where tenant_id = $1 and event_id = erased.id`,
};
const PUBLISHED = {
  find: `
    select event_id as id, octet_length(data::text) as bytes from published_events
     where tenant_id = $1 and aggregate_id = any($2::uuid[])`,
  read: `
    select event_id as id, data::text as data from published_events
     where tenant_id = $1 and aggregate_id = any($2::uuid[]) and event_id = any($3::uuid[])`,
  write: `
    with erased as (
      select id, data, octet_length(data) as bytes from unnest($2::uuid[], $3::text[]) as erased (id, data)
    ), changed as (
      update published_events set data = erased.data::json, size_bytes = erased.bytes
        from erased
       where tenant_id = $1 and event_id = erased.id
      returning event_id, (published_at at time zone 'utc')::date as day, erased.bytes
    )
    insert into event_bytes as counted (tenant_id, day, shard, bytes)
    select $1, day, ${SHARD}, sum(changed.bytes - coalesce(before.size_bytes, octet_length(before.data::text)))
      from changed
      join published_events before on before.tenant_id = $1 and before.event_id = changed.event_id
     group by day order by day
    on conflict (tenant_id, day, shard) do update set bytes = counted.bytes + excluded.bytes`,
};

/** Adds the event of a change that an erasure has made at `updatedAt`. */
export async function addEvent(
  tx: TenantStatements<Tables>,
  event: NewOutboxRow,
  updatedAt: Date,
): Promise<void> {
  await tx.query(addStatement({ event, updatedAt }));
}

const addStatement = namedStatement<{ readonly event: NewOutboxRow; readonly updatedAt: Date }>(
  `
  insert into outbox (${columnsOf(eventColumns)}, data, occurred_at)
  values (${parametersOf("event", eventColumns)}, $event.data, $event.occurred_at)`,
  {
    event: { ...eventColumns, data: ({ event }) => event.data, occurred_at: ({ updatedAt }) => updatedAt },
  },
);
