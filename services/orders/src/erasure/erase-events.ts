// Rewrites the events of customers and orders, which change feeds list.
import { queryUnprepared, type RowColumns, rowsAs } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import type { Tenant } from "../tables.ts";
import { erasedEvent } from "./erase-texts.ts";
import { portionsOf } from "./portions.ts";

/**
 * Erases the data of all events of these aggregates, whose rows must be locked. Returns how many events have changed. The outbox comes
 * first: an event that moves meanwhile is then among the published ones.
 */
export async function eraseEvents(tx: Tenant, aggregateIds: readonly string[]): Promise<number> {
  let changed = 0;
  const ids = sql`${aggregateIds}::uuid[]`;
  for (const { table, order, write } of [OUTBOX, PUBLISHED]) {
    const ofAggregates = sql`from ${sql.table(table)} where tenant_id = ${tx.tenantId} and aggregate_id = any(${ids})`;
    // Planned for its values: a plan from when the table was empty might read all events of the tenant.
    const found = await queryUnprepared(
      tx,
      sql<{ id: string; bytes: number }>`
        select event_id as id, octet_length(data::text) as bytes ${ofAggregates} ${order}`,
    );
    for (const portion of portionsOf(found)) {
      const rows = await queryUnprepared(
        tx,
        sql<{ id: string; data: string }>`
          select event_id as id, data::text as data ${ofAggregates} and event_id = any(${portion.map(({ id }) => id)}::uuid[])`,
      );
      const erased = rows
        .map(({ id, data }) => ({ id, data, left: erasedEvent(data) }))
        .filter(({ data, left }) => left !== data);
      if (erased.length === 0) continue;
      await queryUnprepared(tx, write(tx.tenantId, rowsAs("erased", ERASED, erased)));
      changed += erased.length;
    }
  }
  return changed;
}

const ERASED: RowColumns<{ readonly id: string; readonly left: string }> = {
  id: ["uuid", ({ id }) => id],
  data: ["text", ({ left }) => left],
};

// No relay counts for this shard, so an erasure never waits for a relay's count. Its sums are negative.
const SHARD = -1;

const OUTBOX = {
  table: "outbox",
  // The relay locks rows in the same order.
  order: sql`order by outbox.id for update`,
  write: (tenantId: string, texts: RawBuilder<unknown>) => sql`
    update outbox set data = erased.data::json from ${texts}
     where tenant_id = ${tenantId} and event_id = erased.id`,
};
const PUBLISHED = {
  table: "published_events",
  order: sql``,
  write: (tenantId: string, texts: RawBuilder<unknown>) => sql`
    with erased as (
      select id, data, octet_length(data) as bytes from ${texts}
    ), changed as (
      update published_events set data = erased.data::json, size_bytes = erased.bytes
        from erased
       where tenant_id = ${tenantId} and event_id = erased.id
      returning event_id, (published_at at time zone 'utc')::date as day, erased.bytes
    )
    insert into event_bytes as counted (tenant_id, day, shard, bytes)
    select ${tenantId}::uuid, day, ${sql.lit(SHARD)}, sum(changed.bytes - coalesce(before.size_bytes, octet_length(before.data::text)))
      from changed
      join published_events before on before.tenant_id = ${tenantId} and before.event_id = changed.event_id
     group by day order by day
    on conflict (tenant_id, day, shard) do update set bytes = counted.bytes + excluded.bytes`,
};
