// Applies an action to an order: reads it, decides what changes (`lifecycle`, pure), and writes each change with its event, timeline
// entry and idempotency record in one statement.
import { type ApiResponse, type IdempotencyKey, required, requireMatch } from "@tradepost/http";
import { insertUnchangedRecord } from "@tradepost/idempotency";
import { writeJson } from "@tradepost/json";
import { type AdmittedCause, admit, type Cause, type NewOutboxRow, outboxRow } from "@tradepost/messaging";
import {
  columnsOf,
  completeJson,
  jsonTimeOf,
  namedStatement,
  newPlaceholder,
  parametersOf,
  placeholderColumns,
  type Tenant,
} from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import { eventColumns } from "../event-columns.ts";
import { customerErased, isErased } from "../refuse-erased.ts";
import type { Tables } from "../tables.ts";
import { NEXT_UPDATED_AT } from "../updated-within.ts";
import type { Action } from "./action-input.ts";
import { decide, derivedFields, isRecorded, stateOf, type Transition } from "./lifecycle.ts";
import { decimalOf, unitsOf } from "./money.ts";
import { type Order, orderResponse, shownInEvents } from "./order-resource.ts";
import { findOrder, findOrderWithRecorded } from "./order-store.ts";
import { NEW_WORDS, searchOfOrder } from "./search-order.ts";
import { storedShipments } from "./shipments.ts";

// Each failed write means that somebody else's change has committed.
const TRIES_MAX = 100;

interface Conditions {
  readonly idempotencyKey: IdempotencyKey | null;
  readonly ifMatch: string | undefined;
}

/**
 * Decides the later of two actions at the same moment on the order that the first left (interface §4).
 * @throws 404; 412 if `If-Match` names another version; 409 `customer_erased` for a reason, or `quota_exceeded`; what `isRecorded` and
 * `decide` throw.
 */
export async function applyAction(
  tenant: Tenant<Tables>,
  orderId: string,
  action: Action,
  { idempotencyKey, ifMatch }: Conditions,
  cause: Cause,
): Promise<ApiResponse> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { order: before, recorded } = required(await find(tenant, orderId, action), "order");
    requireMatch(ifMatch, before.version);
    if (isRecorded(before, action, recorded)) {
      if (await recordUnchanged(tenant, before, { ...cause, idempotencyKey })) return orderResponse(before);
      continue;
    }
    const hasText = "reason" in action && action.reason !== undefined;
    if (hasText && (await isErased(tenant, before.customerId)))
      throw customerErased({ state: stateOf(before) });
    const pending = newPlaceholder();
    const transitions = decide(before, action, { shipmentId: newId(), at: pending });
    admit(cause, "eventBytes");
    const order = await commit(tenant, { before, transitions, pending, idempotencyKey, cause });
    if (order !== "version changed") return orderResponse(order);
  }
  throw new Error(`the order's version changed ${TRIES_MAX} times`);
}

async function find(tenant: Tenant<Tables>, orderId: string, action: Action) {
  if (action.name === "payments" && action.reference !== undefined) {
    return await findOrderWithRecorded(tenant, orderId, "payment", action.reference);
  }
  if (action.name === "refund" && action.reference !== undefined) {
    return await findOrderWithRecorded(tenant, orderId, "refund", action.reference);
  }
  const order = await findOrder(tenant, orderId);
  return order === null ? null : { order, recorded: [] };
}

/** Returns false if the order has changed since: the record might have texts that an erasure has taken out. */
async function recordUnchanged(
  tenant: Tenant<Tables>,
  order: Order,
  unchanged: Cause & Pick<Conditions, "idempotencyKey">,
): Promise<boolean> {
  if (unchanged.idempotencyKey === null) return true;
  return await tenant.transaction(async (tx) => {
    const { rows } = await sql`
      select from orders where tenant_id = ${tx.tenantId} and id = ${order.id} and version = ${order.version}
         for share`.execute(tx.db);
    if (rows.length === 0) return false;
    await insertUnchangedRecord(tx, unchanged, orderResponse(order));
    return true;
  });
}

interface Decided {
  readonly before: Order;
  readonly transitions: readonly Transition[];
  readonly pending: string;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly cause: AdmittedCause;
}

/** In one transaction. Returns the last order, whose response is recorded. */
async function commit(tenant: Tenant<Tables>, decided: Decided): Promise<Order | "version changed"> {
  const [first, second] = decided.transitions;
  if (first === undefined) throw new Error("an action without a transition");
  if (second === undefined) return await write(tenant, decided, first);
  return await tenant.transaction(async (tx) => {
    const before = await write(tx, { ...decided, idempotencyKey: null }, first);
    return before === "version changed" ? before : await write(tx, { ...decided, before }, second);
  });
}

async function write(
  tenant: Tenant<Tables>,
  { before, pending, idempotencyKey, cause }: Decided,
  { event: type, changes, extra: { shipmentId, part, ...extra } }: Transition,
): Promise<Order | "version changed"> {
  const changed: Order = { ...before, ...changes, version: before.version + 1 };
  const order: Order = { ...changed, ...derivedFields(changed) };
  const payload = withIds(extra);
  const { trackingNumber, carrier, cancelReason: reason } = changes;
  const written = { ...order, updatedAt: pending };
  const { rows } = await tenant.query<{ updatedAt: Date }>(
    changeOrderStatement({
      order,
      tracked: [trackingNumber],
      pending,
      versionBefore: before.version,
      event: outboxRow(type, order.id, { order: shownInEvents(written), ...payload }, cause),
      details: { ...payload, part, shipmentId, trackingNumber, carrier, reason },
      idempotencyKey,
      response: orderResponse(written),
    }),
  );
  const [row] = rows;
  if (row === undefined) return "version changed";
  const { updatedAt } = row;
  const decidedTime = (time: Date | string | undefined) => (time === pending ? updatedAt : time);
  const shipments = order.shipments.map((shipment) => ({
    ...shipment,
    shippedAt: decidedTime(shipment.shippedAt) ?? updatedAt,
    deliveredAt: decidedTime(shipment.deliveredAt),
  }));
  return { ...order, shipments, updatedAt };
}

/** So that receivers can refer to it. */
function withIds({ payment, refund }: Pick<Transition["extra"], "payment" | "refund">) {
  return {
    ...(payment && { payment: { id: newId(), ...payment } }),
    ...(refund && { refund: { id: newId(), ...refund } }),
  };
}

interface OrderChange {
  /** After the change, with the time of the previous one. */
  readonly order: Order;
  readonly tracked: readonly (string | undefined)[];
  readonly pending: string;
  readonly versionBefore: number;
  readonly event: NewOutboxRow;
  readonly details: object;
  readonly idempotencyKey: IdempotencyKey | null;
  readonly response: ApiResponse;
}

// While the version is unchanged, the order is as the transition was decided on.
const changeOrderStatement = namedStatement<OrderChange>(
  `
  with changed as (
    update orders
       set version = version + 1, updated_at = ${NEXT_UPDATED_AT}, status = $order.status, payment_status = $order.payment_status,
           paid_total = $order.paid_total, refunded_total = $order.refunded_total,
           tracking_number = $order.tracking_number, carrier = $order.carrier, cancel_reason = $order.cancel_reason,
           shipments = ${completeJson("$order.shipments", jsonTimeOf(`(${NEXT_UPDATED_AT})::timestamptz(3)`))},
           refunded_quantities = $order.refunded_quantities, search_text = $search.text
     where tenant_id = $event.tenant_id and id = $event.aggregate_id and version = $order.version_before
    returning version, updated_at, created_at
  ), ${NEW_WORDS}, timeline_entry as (
    insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor,
                               request_id, created_at)
    select $event.tenant_id, $event.aggregate_id, version, $event.type, $order.status, $order.payment_status,
           $timeline.details, $event.event_id, $event.actor::json, $event.request_id, updated_at
      from changed
  ), event as (
    insert into outbox (${columnsOf(eventColumns)}, words_bytes, data, occurred_at)
    select ${parametersOf("event", eventColumns)}, $search.bytes, ${completeJson("$event.data", jsonTimeOf("updated_at"))}, updated_at
      from changed
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $event.tenant_id, $record.route, $record.key::text, $record.fingerprint, ${completeJson("$record.response", jsonTimeOf("updated_at"))}
      from changed where $record.key is not null
  )
  select updated_at as "updatedAt" from changed`,
  {
    order: {
      version_before: ({ versionBefore }) => versionBefore,
      status: ({ order }) => order.status,
      payment_status: ({ order }) => order.paymentStatus,
      paid_total: ({ order }) => decimalOf(unitsOf(order.paidTotal)),
      refunded_total: ({ order }) => decimalOf(unitsOf(order.refundedTotal)),
      tracking_number: ({ order }) => order.trackingNumber ?? null,
      carrier: ({ order }) => order.carrier ?? null,
      cancel_reason: ({ order }) => order.cancelReason ?? null,
      shipments: ({ order }) => storedShipments(order),
      refunded_quantities: ({ order: { items } }) =>
        items.some(({ refundedQuantity }) => refundedQuantity > 0)
          ? items.map(({ refundedQuantity }) => refundedQuantity)
          : null,
    },
    search: searchOfOrder,
    pending: placeholderColumns,
    timeline: { details: ({ details }) => JSON.stringify(details) },
    event: { ...eventColumns, data: ({ event }) => event.data },
    record: {
      route: ({ idempotencyKey }) => idempotencyKey?.route ?? null,
      key: ({ idempotencyKey }) => idempotencyKey?.key ?? null,
      fingerprint: ({ idempotencyKey }) => idempotencyKey?.fingerprint ?? null,
      response: ({ idempotencyKey, response }) => (idempotencyKey === null ? null : writeJson(response)),
    },
  },
);
