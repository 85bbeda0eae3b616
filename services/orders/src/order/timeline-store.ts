import type { PageQuery } from "@tradepost/http";
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";
import { positionOfOrder } from "./order-store.ts";

/** `details`: the payment, refund, parcel or reason, or the names of changed fields. */
interface Entry {
  readonly id: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly version: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly actor: unknown;
  readonly requestId: string | null;
  readonly details: object;
}

/** Newest first, and one more than the limit if another page follows; null without such an order. `id` is for the cursor. */
export async function readTimeline(tenant: Tenant, orderId: string, page: PageQuery) {
  const { tenantId, db } = tenant;
  // The cursor has an event's id; entries are ordered by the versions that they created.
  const after = page.cursor?.id ?? null;
  const { rows } = await sql<Entry>`
    with entry as (
      select placed_event_id as event_id, 'order.placed' as type, created_at, 1 as version, 'placed' as status,
             'unpaid' as payment_status, placed_by as actor, placed_request_id as request_id, '{}'::json as details
        from orders where tenant_id = ${tenantId} and id = ${orderId}
      union all
      select event_id, type, created_at, version, status, payment_status, actor, request_id, details
        from order_changes where tenant_id = ${tenantId} and order_id = ${orderId}
    )
    select event_id as id, type, created_at as "createdAt", version, status, payment_status as "paymentStatus",
           actor, request_id as "requestId", details
      from entry
     where ${after}::uuid is null or version < (select version from entry where event_id = ${after})
     order by version desc
     limit ${page.limit + 1}`.execute(db);
  // A cursor of another order matches no entries.
  if (rows.length === 0 && (await positionOfOrder(tenant, orderId)) === null) return null;
  return rows.map(({ id, details, ...entry }) => ({ id, eventId: id, ...entry, ...details }));
}

/** Newest first, and one more than the limit if another page follows; null without such an order. */
export async function readPayments(tenant: Tenant, orderId: string, page: PageQuery) {
  const { tenantId, db } = tenant;
  const after = page.cursor?.id ?? null;
  const { rows } = await sql<{ id: string; createdAt: Date; payment: object | null; refund: object | null }>`
    select event_id as id, created_at as "createdAt", details -> 'payment' as payment, details -> 'refund' as refund
      from order_changes
     where tenant_id = ${tenantId} and order_id = ${orderId} and coalesce(details -> 'payment', details -> 'refund') is not null
       and (${after}::uuid is null or version < (select version from order_changes
                                                  where tenant_id = ${tenantId} and order_id = ${orderId} and event_id = ${after}))
     order by version desc
     limit ${page.limit + 1}`.execute(db);
  if (rows.length === 0 && (await positionOfOrder(tenant, orderId)) === null) return null;
  return rows.map(({ id, createdAt, payment, refund }) => {
    // A refund is recorded when it has succeeded.
    const made = payment ?? { ...refund, status: "succeeded" };
    const kind = payment === null ? "refund" : "payment";
    return { id, createdAt, shown: { kind, reference: null, reason: null, ...made, createdAt } };
  });
}
