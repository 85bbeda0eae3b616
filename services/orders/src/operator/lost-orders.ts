// Which orders a restored database does not have, or has in an earlier state, compared with a database that has later commits.
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

export interface LostOrder {
  readonly tenantId: string;
  readonly orderId: string;
  readonly orderNumber: string;
  readonly externalId: string | null;
  /** As the later database has it. */
  readonly status: string;
  readonly paymentStatus: string;
  readonly version: number;
  readonly createdAt: Date;
  /** The version that the restored database has; null if it does not have the order. */
  readonly restoredVersion: number | null;
}

const BATCH_ORDERS = 5_000;

/** Ordered by tenant and id. `since` is a time before the moment of the restore. */
export async function readLostOrders(
  later: Kysely<Tables>,
  restored: Kysely<Tables>,
  since: Date,
): Promise<LostOrder[]> {
  const lost: LostOrder[] = [];
  let after = {
    tenantId: "00000000-0000-0000-0000-000000000000",
    orderId: "00000000-0000-0000-0000-000000000000",
  };
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
