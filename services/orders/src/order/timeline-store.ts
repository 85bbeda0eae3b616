// Reads the timeline of an order: `order.placed` and every change after it.
import type { PageQuery } from "@tradepost/http";
import type { TenantDatabase } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";
import { orderExists } from "./order-store.ts";

/**
 * One entry of the timeline. `details` are the payment, the refund, the parcel, the reason, or the names of the changed fields.
 */
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

/**
 * Returns entries, newest first, and one more than the limit if another page follows; null if the tenant has no such order. `id`
 * is for the page's cursor. `actor`, `requestId` and `eventId` are null for an order that was placed by a version that did not
 * store them.
 */
export async function readTimeline(tenant: TenantDatabase<Tables>, orderId: string, page: PageQuery) {
  const { rows } = await tenant.query<Entry>({
    text: READ_TIMELINE,
    values: [tenant.tenantId, orderId, page.cursor?.id ?? null, page.limit + 1],
  });
  // A cursor of another order matches no entries, although the order exists.
  if (rows.length === 0 && !(await orderExists(tenant, orderId))) return null;
  return rows.map(({ id, details, ...entry }) => ({ id, eventId: id, ...entry, ...details }));
}

// The cursor contains the id of an entry, which is the id of its event. Entries are ordered by the versions that they created.
const READ_TIMELINE = `
  with entry as (
    select placed_event_id as event_id, 'order.placed' as type, created_at, 1 as version, 'placed' as status,
           'unpaid' as payment_status, placed_by as actor, placed_request_id as request_id, '{}'::json as details
      from orders where tenant_id = $1 and id = $2
    union all
    select event_id, type, created_at, version, status, payment_status, actor, request_id, details
      from order_changes where tenant_id = $1 and order_id = $2
  )
  select event_id as id, type, created_at as "createdAt", version, status, payment_status as "paymentStatus",
         actor, request_id as "requestId", details
    from entry
   where $3::uuid is null or version < (select version from entry where event_id = $3)
   order by version desc
   limit $4`;
