import type { PageQuery } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { positionOfOrder } from "./order-store.ts";

/** Newest first, and one more than the limit if another page follows; null without such an order. */
export async function readPayments(tenant: Tenant<Tables>, orderId: string, page: PageQuery) {
  const { tenantId, db } = tenant;
  const after = page.cursor?.id ?? null;
  // The cursor has the event's id; each change of an order has a version, so this is the order of the commits.
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
