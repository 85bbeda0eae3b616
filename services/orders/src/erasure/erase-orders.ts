// The step that erases texts of the customer's next orders, their timelines and their events.
import { dataMap } from "@tradepost/data-map";
import { outboxRow } from "@tradepost/messaging";
import { namedStatement, type TenantStatements } from "@tradepost/postgres";
import { eventColumns } from "../event-columns.ts";
import { findOrders, type Order, shownInEvents } from "../order/order.ts";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import { addEvent, eraseEvents } from "./erase-events.ts";
import { erasedAddress, erasedDetails, fieldOf } from "./erase-texts.ts";
import { assignmentsOf } from "./erased-values.ts";
import { FIRST_WORD, type RunningErasure, type Step } from "./erasure-store.ts";

// Their texts, and those of their events, are in memory at the same time, and the orders are locked.
const BATCH_ORDERS_MAX = 20;

/** `after` is the position of the last order of the step before. No order is added behind it: see erasure.ts. */
export async function eraseOrders(
  tx: TenantStatements<Tables>,
  { customerId, cause }: RunningErasure,
  after: { readonly createdAt: string; readonly id: string },
): Promise<Step> {
  const { rows: locked } = await tx.query<{ id: string; createdAt: Date }>({
    text: LOCK_NEXT,
    values: [tx.tenantId, customerId, after.createdAt, after.id],
  });
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
// The map names columns of orders.
const FIELDS = Object.keys(OF_ORDER).map(fieldOf) as (keyof Order)[];

const LOCK_NEXT = `
  select id, created_at as "createdAt" from orders
   where tenant_id = $1 and customer_id = $2 and (created_at, id) > ($3, $4)
   order by created_at, id limit ${BATCH_ORDERS_MAX} for no key update`;

/**
 * Each order gets a new version, even without texts: a request that has read the earlier version is decided again, and refused.
 */
async function eraseRows(tx: TenantStatements<Tables>, orders: readonly Order[]): Promise<void> {
  const left = (field: "shippingAddress" | "billingAddress") =>
    orders.map(({ [field]: address }) => (address === undefined ? null : erasedAddress(address.text)));
  await tx.query({
    text: ERASE_ROWS,
    values: [tx.tenantId, orders.map(({ id }) => id), left("shippingAddress"), left("billingAddress")],
    // Planned for its values: a join that was planned for a small table reads all orders of the tenant.
    isPrepared: false,
  });
}

const ERASE_ROWS = `
  update orders
     set ${assignmentsOf(OF_ORDER, (column) => `erased.${column}::json`)}, version = version + 1,
         updated_at = ${NEXT_UPDATED_AT}
    from unnest($2::uuid[], $3::text[], $4::text[]) as erased (order_id, shipping_address, billing_address)
   where tenant_id = $1 and id = order_id`;

async function eraseTimelines(tx: TenantStatements<Tables>, orderIds: readonly string[]): Promise<number> {
  const { rows } = await tx.query<{ id: string; version: number; details: string }>({
    text: READ_TIMELINES,
    values: [tx.tenantId, orderIds],
  });
  const erased = rows
    .map((row) => ({ ...row, left: erasedDetails(row.details) }))
    .filter(({ details, left }) => left !== details);
  const values = [
    ...[tx.tenantId, erased.map(({ id }) => id), erased.map(({ version }) => version)],
    erased.map(({ left }) => left),
  ];
  if (erased.length > 0) await tx.query({ text: WRITE_TIMELINES, values, isPrepared: false });
  return erased.length;
}

const READ_TIMELINES = `
  select order_id as id, version, details::text as details from order_changes
   where tenant_id = $1 and order_id = any($2::uuid[])`;

const WRITE_TIMELINES = `
  update order_changes set details = erased.details::json
    from unnest($2::uuid[], $3::integer[], $4::text[]) as erased (order_id, version, details)
   where tenant_id = $1 and order_changes.order_id = erased.order_id and order_changes.version = erased.version`;

interface Entry {
  readonly event: ReturnType<typeof outboxRow>;
  /** After the change. */
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
