// Erases texts of the customer's next orders, their timelines and their events.
import { dataMap } from "@tradepost/data-map";
import { outboxRow } from "@tradepost/messaging";
import { namedStatement, queryUnprepared, type Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import { eventColumns } from "../event-columns.ts";
import { findOrders, type Order, shownInEvents } from "../order/order.ts";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { addEvent, eraseEvents } from "./erase-events.ts";
import { assignmentsOf, erasedAddress, erasedDetails, fieldOf } from "./erase-texts.ts";
import { FIRST_WORD, type RunningErasure, type Step } from "./erasure-store.ts";

// Their texts are in memory at the same time, and the orders are locked.
const BATCH_ORDERS_MAX = 20;

/** `after` is the last order of the step before. None is added behind it: see erasure.ts. */
export async function eraseOrders(
  tx: Tenant<Tables>,
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
    await tx.query(addEntry({ event, order, changed }));
    await addEvent(tx, event, order.updatedAt);
  }
  return {
    next: { step: "orders", after: { createdAt: last.createdAt.toISOString(), id: last.id } },
    rows: ids.length + entryCount + eventCount,
  };
}

const OF_ORDER = dataMap.orders.orders.person;
const FIELDS = Object.keys(OF_ORDER).map(fieldOf) as (keyof Order)[];

/** Each order gets a new version, even without texts: a request that has read the earlier one is decided again, and refused. */
async function eraseRows(tx: Tenant<Tables>, orders: readonly Order[]): Promise<void> {
  const left = (field: "shippingAddress" | "billingAddress") =>
    orders.map(({ [field]: address }) => (address === undefined ? null : erasedAddress(address.text)));
  const erased = assignmentsOf(OF_ORDER, (column) => `erased.${column}::json`);
  // Planned for its values: a join that was planned for a small table reads all orders of the tenant.
  await queryUnprepared(
    tx,
    sql`
      update orders set ${sql.raw(erased)}, version = version + 1, updated_at = ${sql.raw(NEXT_UPDATED_AT)}
        from unnest(${orders.map(({ id }) => id)}::uuid[], ${left("shippingAddress")}::text[], ${left("billingAddress")}::text[])
             as erased (order_id, shipping_address, billing_address)
       where tenant_id = ${tx.tenantId} and id = order_id`,
  );
}

async function eraseTimelines(tx: Tenant<Tables>, orderIds: readonly string[]): Promise<number> {
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
        from unnest(${erased.map(({ id }) => id)}::uuid[], ${erased.map(({ version }) => version)}::integer[],
                    ${erased.map(({ left }) => left)}::text[]) as erased (order_id, version, details)
       where tenant_id = ${tx.tenantId} and order_changes.order_id = erased.order_id and order_changes.version = erased.version`,
  );
  return erased.length;
}

interface Entry {
  readonly event: ReturnType<typeof outboxRow>;
  readonly order: Order;
  readonly changed: readonly string[];
}

const addEntry = namedStatement<Entry>(
  `
  insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor, request_id,
                             created_at)
  values ($event.tenant_id, $event.aggregate_id, $order.version, $event.type, $order.status, $order.payment_status, $order.details,
          $event.event_id, $event.actor::json, $event.request_id, $order.updated_at)`,
  {
    event: {
      tenant_id: eventColumns.tenant_id,
      aggregate_id: eventColumns.aggregate_id,
      type: eventColumns.type,
      event_id: eventColumns.event_id,
      actor: eventColumns.actor,
      request_id: eventColumns.request_id,
    },
    order: {
      version: ({ order }) => order.version,
      status: ({ order }) => order.status,
      payment_status: ({ order }) => order.paymentStatus,
      details: ({ changed }) => JSON.stringify({ changed }),
      updated_at: ({ order }) => order.updatedAt,
    },
  },
);
