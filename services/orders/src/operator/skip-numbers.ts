// Moves the tenants' counters of order numbers past the numbers that a restore has lost: they were shown to clients and must not
// be given to other orders (interface §4).
import { type Kysely, sql } from "kysely";
import { FIRST_ORDER_NUMBER } from "../order/insert-order-statement.ts";
import type { Tables } from "../tables.ts";

export interface SkippedNumbers {
  readonly tenantId: string;
  /** The numbers that are skipped: from `from` to `to` - 1; the next order gets `to`. */
  readonly from: number;
  readonly to: number;
}

// Far more than a tenant has placed in the time that is lost, if it did as before; and a floor for those that had just begun.
const TIMES_AS_MANY = 10;
const NUMBERS_MIN = 1_000;

/**
 * Skips `count` numbers of each tenant. Without `count` it is ten times the number of orders that the tenant placed in as much time
 * before `restoredTo` as has passed since, and 1,000. `known` are the counters of a database that has later orders; the numbers
 * are counted from these.
 */
export async function skipNumbers(
  tx: Kysely<Tables>,
  lost: {
    tenantIds: readonly string[];
    restoredTo: Date;
    count: number | null;
    known: ReadonlyMap<string, number>;
  },
): Promise<SkippedNumbers[]> {
  const { tenantIds, restoredTo, count, known } = lost;
  const { rows } = await sql<SkippedNumbers>`
    with tenant as (
      select id, known from unnest(${tenantIds}::uuid[], ${tenantIds.map((id) => known.get(id) ?? 0)}::bigint[]) as tenant (id, known)
       union
      select tenant_id, 0 from order_counters where tenant_id <> all(${tenantIds}::uuid[])
    ), placed as (
      select tenant_id, count(*) as count from orders
       where created_at >= ${restoredTo}::timestamptz - (now() - ${restoredTo}::timestamptz)
       group by tenant_id
    ), before as (
      select tenant.id, coalesce(next_number, ${FIRST_ORDER_NUMBER}) as next_number,
             greatest(coalesce(next_number, ${FIRST_ORDER_NUMBER}), known)
             + coalesce(${count}::bigint, ${NUMBERS_MIN} + ${TIMES_AS_MANY} * coalesce(placed.count, 0)) as moved
        from tenant left join order_counters on order_counters.tenant_id = tenant.id
                    left join placed on placed.tenant_id = tenant.id
    ), changed as (
      insert into order_counters (tenant_id, next_number) select id, moved from before
      on conflict (tenant_id) do update set next_number = excluded.next_number
    )
    select id as "tenantId", next_number::float as "from", moved::float as "to" from before order by id`.execute(
    tx,
  );
  return rows;
}

/** The next order number of each tenant. */
export async function readCounters(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ tenantId: string; next: number }>`
    select tenant_id as "tenantId", next_number::float as next from order_counters`.execute(db);
  return new Map(rows.map(({ tenantId, next }) => [tenantId, next]));
}
