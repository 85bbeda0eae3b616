// Erases texts of the customer's next orders, their timelines and their events.
import { dataMap } from "@tradepost/data-map";
import { outboxRow } from "@tradepost/messaging";
import { queryUnprepared, type RowColumns, rowsAs } from "@tradepost/postgres";
import { sql } from "kysely";
import { findOrders, type Order, shownInEvents } from "../order/order.ts";
import type { Tenant } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { eraseEvents } from "./erase-events.ts";
import { assignmentsOf, erasedAddress, erasedDetails, fieldOf } from "./erase-texts.ts";
import { FIRST_WORD, type RunningErasure, type Step } from "./erasure-store.ts";

// The texts of a batch are in memory at the same time, and its orders are locked.
const BATCH_ORDERS_MAX = 20;

/** `after` is the last order of the previous step. No order is added before it: see erasure.ts. */
export async function eraseOrders(
  tx: Tenant,
  { customerId, cause }: RunningErasure,
  after: { readonly createdAt: string; readonly id: string },
): Promise<Step> {
  const { rows: locked } = await sql<{ id: string; createdAt: Date }>`
    select id, created_at as "createdAt" from orders
     where tenant_id = ${tx.tenantId} and customer_id = ${customerId} and (created_at, id) > (${after.createdAt}, ${after.id})
     order by created_at, id limit ${sql.lit(BATCH_ORDERS_MAX)} for no key update`.execute(tx.db);
  const last = locked.at(-1);
  if (last === undefined) return { next: { step: "words", after: FIRST_WORD }, rows: 0 };
  const ids = locked.map(({ id }) => id);
  const before = new Map((await findOrders(tx, ids)).map((order) => [order.id, order]));
  await eraseRows(tx, [...before.values()]);
  const entryCount = await eraseTimelines(tx, ids);
  const eventCount = await eraseEvents(tx, ids);
  for (const order of await findOrders(tx, ids)) {
    const event = outboxRow("order.updated", order.id, { order: shownInEvents(order) }, cause);
    const changed = FIELDS.filter((field) => before.get(order.id)?.[field] !== undefined);
    await sql`
      insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor, request_id,
                                 created_at)
      values (${tx.tenantId}, ${order.id}, ${order.version}, ${event.type}, ${order.status}, ${order.paymentStatus},
              ${JSON.stringify({ changed })}, ${event.event_id}, ${event.actor}, ${event.request_id}, ${order.updatedAt})`.execute(
      tx.db,
    );
    await tx.db
      .insertInto("outbox")
      .values({ ...event, occurred_at: order.updatedAt })
      .execute();
  }
  return {
    next: { step: "orders", after: { createdAt: last.createdAt.toISOString(), id: last.id } },
    rows: ids.length + entryCount + eventCount,
  };
}

const OF_ORDER = dataMap.orders.orders.person;
const FIELDS = Object.keys(OF_ORDER).map(fieldOf) as (keyof Order)[];

/** Each order gets a new version, even without texts: a request that has read the earlier one is decided again, and refused. */
async function eraseRows(tx: Tenant, orders: readonly Order[]): Promise<void> {
  const erased = assignmentsOf(OF_ORDER, (column) => `erased.${column}::json`);
  // Planned for its values: a join that was planned for a small table reads all orders of the tenant.
  await queryUnprepared(
    tx,
    sql`
      update orders set ${sql.raw(erased)}, version = version + 1, updated_at = ${sql.raw(NEXT_UPDATED_AT)}
        from ${rowsAs("erased", ADDRESSES, orders)}
       where tenant_id = ${tx.tenantId} and id = order_id`,
  );
}

const ADDRESSES: RowColumns<Order> = {
  order_id: ["uuid", ({ id }) => id],
  shipping_address: ["text", ({ shippingAddress }) => shippingAddress && erasedAddress(shippingAddress.text)],
  billing_address: ["text", ({ billingAddress }) => billingAddress && erasedAddress(billingAddress.text)],
};

async function eraseTimelines(tx: Tenant, orderIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ id: string; version: number; details: string }>`
    select order_id as id, version, details::text as details from order_changes
     where tenant_id = ${tx.tenantId} and order_id = any(${orderIds}::uuid[])`.execute(tx.db);
  const erased = rows
    .map((row) => ({ ...row, left: erasedDetails(row.details) }))
    .filter(({ details, left }) => left !== details);
  if (erased.length === 0) return 0;
  await queryUnprepared(
    tx,
    sql`
      update order_changes set details = erased.details::json
        from ${rowsAs("erased", DETAILS, erased)}
       where tenant_id = ${tx.tenantId} and order_changes.order_id = erased.order_id and order_changes.version = erased.version`,
  );
  return erased.length;
}

const DETAILS: RowColumns<{ readonly id: string; readonly version: number; readonly left: string }> = {
  order_id: ["uuid", ({ id }) => id],
  version: ["integer", ({ version }) => version],
  details: ["text", ({ left }) => left],
};
