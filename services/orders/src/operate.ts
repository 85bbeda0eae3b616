// Functions behind the operators' commands. HTTP does not reach them.
import { NO_ID } from "@tradepost/http";
import { newId, newTraceparent } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { DIGEST, FIRST_STEP } from "./erasure/erasure.ts";
import { FIRST_ORDER_NUMBER } from "./order/order.ts";
import type { Tables } from "./tables.ts";

export type { Tables } from "./tables.ts";

/** An order that a restored database lacks, or has in an earlier state than a later database. */
export interface LostOrder {
  readonly tenantId: string;
  readonly orderId: string;
  readonly orderNumber: string;
  readonly externalId: string | null;
  readonly status: string;
  readonly paymentStatus: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly restoredVersion: number | null;
}

const BATCH_ORDERS = 5_000;

/** Returns the lost orders by tenant and id. `since` must be before the moment of the restore. */
export async function readLostOrders(
  later: Kysely<Tables>,
  restored: Kysely<Tables>,
  since: Date,
): Promise<LostOrder[]> {
  const lost: LostOrder[] = [];
  let after = { tenantId: NO_ID, orderId: NO_ID };
  for (;;) {
    const { rows } = await sql<Omit<LostOrder, "restoredVersion">>`
      select tenant_id as "tenantId", id as "orderId", order_number as "orderNumber", external_id as "externalId",
             status, payment_status as "paymentStatus", version, created_at as "createdAt"
        from orders
       where (tenant_id, id) > (${after.tenantId}, ${after.orderId}) and updated_at >= ${since}
       order by tenant_id, id limit ${BATCH_ORDERS}`.execute(later);
    const last = rows.at(-1);
    if (last === undefined) return lost;
    const versions = await readVersions(restored, rows);
    for (const order of rows) {
      const restoredVersion = versions.get(order.orderId) ?? null;
      if (restoredVersion === null || restoredVersion < order.version)
        lost.push({ ...order, restoredVersion });
    }
    after = last;
  }
}

async function readVersions(
  db: Kysely<Tables>,
  orders: readonly { tenantId: string; orderId: string }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from orders
     where (tenant_id, id) in (select * from unnest(${orders.map(({ tenantId }) => tenantId)}::uuid[],
                                                    ${orders.map(({ orderId }) => orderId)}::uuid[]))`.execute(
    db,
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** After a restore, a tenant's counter skips the lost numbers, which were shown to clients (interface §4). */
export interface SkippedNumbers {
  readonly tenantId: string;
  /** The next order gets `to`. */
  readonly from: number;
  readonly to: number;
}

// Far more than a tenant can have used in the lost time at its former rate. The minimum is for new tenants.
const TIMES_AS_MANY = 10;
const NUMBERS_MIN = 1_000;

/**
 * Skips `count` numbers of each tenant; by default 1,000 plus ten times the orders that it placed before `restoredTo`, in a
 * period as long as the time since. `known` are the counters of a database with later orders, from which it starts.
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

export async function readCounters(db: Kysely<Tables>): Promise<Map<string, number>> {
  const { rows } = await sql<{ tenantId: string; next: number }>`
    select tenant_id as "tenantId", next_number::float as next from order_counters`.execute(db);
  return new Map(rows.map(({ tenantId, next }) => [tenantId, next]));
}

/** An erased customer who has personal data here: a restore has undone the erasure. */
export interface ReturnedCustomer {
  readonly tenantId: string;
  readonly customerId: string;
}

/** Returns the customers who have an erasure or one of these digests, and are not erased. With digests it reads all customers. */
export async function findReturned(db: Kysely<Tables>, digests: readonly string[]) {
  const listed = sql`
     union
    select tenant_id, id from customers
     where erased_at is null and encode(${sql.raw(DIGEST)}, 'hex') = any(${digests})`;
  const { rows } = await sql<ReturnedCustomer>`
    select tenant_id as "tenantId", customers.id as "customerId"
      from erasures join customers using (tenant_id)
     where customers.id = customer_id and customers.erased_at is null
    ${digests.length === 0 ? sql`` : listed}
     order by 1, 2`.execute(db);
  return rows;
}

/** The service carries the erasures out when it starts. */
export async function eraseAgain(tx: Kysely<Tables>, returned: readonly ReturnedCustomer[]): Promise<void> {
  for (const { tenantId, customerId } of returned) {
    await sql`
      with marked as (
        update customers set erased_at = now() where tenant_id = ${tenantId} and id = ${customerId}
      )
      insert into erasures (tenant_id, id, customer_id, actor, request_id, traceparent, progress)
      values (${tenantId}, ${newId()}, ${customerId}, ${JSON.stringify(OPERATOR)}, ${newId()}, ${newTraceparent()},
              ${JSON.stringify(FIRST_STEP)})
      on conflict (tenant_id, customer_id) do update set progress = excluded.progress, finished_at = null`.execute(
      tx,
    );
  }
}

// The change feed knows keys and users only.
const OPERATOR = { type: "user", id: "operator", name: "Operator" };
