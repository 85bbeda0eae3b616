import { searchStatement, tenantOf } from "@tradepost/postgres";
import { type Kysely, type Selectable, sql } from "kysely";
import { deliveryOf, reasonOf } from "../delivery/delivery.ts";
import { type DeliveryStatus, openStatuses } from "../delivery-status.ts";
import type { Tables } from "../tables.ts";
import { findLatestAttempts } from "./list-deliveries.ts";

export type OperatedDelivery = Omit<ReturnType<typeof deliveryOf>, "id" | "eventId" | "completedAt"> & {
  readonly deliveryId: string;
  readonly tenantId: string;
  readonly lastOutcome: string | null;
};

/** Returns null without such a subscription, unless a tenant is given. `isCut`: the search ended before the limit. */
export async function listForOperator(
  db: Kysely<Tables>,
  filter: {
    subscriptionId: string;
    tenantId?: string | undefined;
    status?: DeliveryStatus | undefined;
    isOldestFirst: boolean;
    limit: number;
  },
): Promise<{ deliveries: OperatedDelivery[]; isCut: boolean } | null> {
  const { subscriptionId, status, isOldestFirst, limit } = filter;
  const tenantId = filter.tenantId ?? (await findTenantOf(db, subscriptionId));
  if (tenantId === undefined) return null;
  const { rows } = await searchStatement<Selectable<Tables["all_deliveries"]>>({
    columns: sql`all_deliveries.*`,
    from: sql`from all_deliveries
              where tenant_id = ${tenantId} and subscription_id = ${subscriptionId} ${narrowed(status)}`,
    order: isOldestFirst ? sql`order by created_at, id` : sql`order by created_at desc, id desc`,
    conditions: status === undefined ? [] : [sql`status = ${status}`],
    limit,
  }).execute(db);
  const found = rows.filter((row) => !row.is_end).slice(0, limit);
  const attempts = await findLatestAttempts(tenantOf(db, tenantId), found);
  return {
    deliveries: found.map((row) => {
      const last = attempts.get(row.id);
      const { id: deliveryId, eventId: _, completedAt: __, ...shown } = deliveryOf(row);
      const lastOutcome = last === undefined ? null : reasonOf(last);
      return { deliveryId, tenantId: row.tenant_id, ...shown, lastOutcome };
    }),
    isCut: found.length < limit && rows.some((row) => row.is_end),
  };
}

async function findTenantOf(db: Kysely<Tables>, subscriptionId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom("subscriptions")
    .select("tenant_id")
    .where("id", "=", subscriptionId)
    .executeTakeFirst();
  return found?.tenant_id;
}

function narrowed(status: DeliveryStatus | undefined) {
  if (status === undefined || status === "delivered") return sql``;
  return (openStatuses as readonly string[]).includes(status)
    ? sql`and completed_at is null`
    : sql`and status <> 'delivered'`;
}
