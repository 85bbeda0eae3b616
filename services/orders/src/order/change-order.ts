// Takes an order one step along its life: reads where it stands, decides (pure), and writes the change with its event,
// its entry in the timeline and the record of its answer in one guarded statement.

import { type ApiRequest, type ApiResponse, etagOf, notFound, ok, requireMatch } from "@tradepost/http";
import { outboxRow } from "@tradepost/messaging";
import type { TenantDatabase } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import type { Tables } from "../tables.ts";
import { type Action, decide, type Transition } from "./lifecycle.ts";
import { decimalOf, unitsOf } from "./money.ts";
import { type Order, shownInEvents } from "./order-resource.ts";
import { findOrder } from "./order-store.ts";

// Whoever loses a race has let somebody else's change through, and decides anew on what that left.
const TRIES_MAX = 100;

/**
 * Out: 200 with the order as it now is. Throws 404, 412 where `If-Match` names another version, and what `decide`
 * throws. Of two changes at once one commits first, and the other is decided on what it left (contract §4).
 */
export async function changeOrder(
  tenant: TenantDatabase<Tables>,
  action: Action,
  request: ApiRequest<unknown, undefined>,
): Promise<ApiResponse> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await findOrder(tenant.db, tenant.tenantId, request.id);
    if (before === null) throw notFound("order");
    requireMatch(request.raw, before.version);
    const transition = decide(before, action);
    const answer = await commit(tenant, before, transition, request);
    if (answer !== "changed meanwhile") return answer;
  }
  throw new Error("the order never stood still");
}

// The version is the guard: it says that neither status is another than the one that was decided on.
const CHANGE_ORDER = `
  with changed as (
    update orders
       set version = version + 1, status = $4, payment_status = $5, paid_total = $6, refunded_total = $7,
           tracking_number = $8, carrier = $9, cancel_reason = $10
     where tenant_id = $1 and id = $2 and version = $3
    returning version
  ), noted as (
    insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor,
                               request_id, created_at)
    select $1, $2, version, $11, $4, $5, $12, $13, $14::json, $15, statement_timestamp() from changed
  ), event as (
    insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, occurred_at)
    select $13, $2, $11, $1, $15, $16, $14::json, $17, statement_timestamp() from changed
  ), record as (
    insert into idempotency_records (tenant_id, route, key, fingerprint, answer)
    select $1, $18, $19::text, $20, $21 from changed where $19 is not null
  )
  select version from changed`;

async function commit(
  tenant: TenantDatabase<Tables>,
  before: Order,
  { event: type, changed, beside }: Transition,
  request: ApiRequest<unknown, undefined>,
): Promise<ApiResponse | "changed meanwhile"> {
  const order: Order = { ...before, ...changed, version: before.version + 1 };
  const told = withIds(beside);
  const event = outboxRow(type, order.id, { order: shownInEvents(order), ...told }, request);
  const answer = ok(order, { etag: etagOf(order.version) });
  const key = request.idempotencyKey;
  const { trackingNumber, carrier, cancelReason: reason } = changed;
  const { rowCount } = await tenant.query({
    name: "change-order",
    text: CHANGE_ORDER,
    values: [
      tenant.tenantId,
      order.id,
      before.version,
      order.status,
      order.paymentStatus,
      decimalOf(unitsOf(order.paidTotal)),
      decimalOf(unitsOf(order.refundedTotal)),
      order.trackingNumber ?? null,
      order.carrier ?? null,
      order.cancelReason ?? null,
      type,
      JSON.stringify({ ...told, trackingNumber, carrier, reason }),
      event.event_id,
      event.actor,
      event.request_id,
      event.traceparent,
      event.data,
      key?.route ?? null,
      key?.key ?? null,
      key?.fingerprint ?? null,
      key === null ? null : JSON.stringify(answer),
    ],
  });
  return rowCount === 0 ? "changed meanwhile" : answer;
}

/** A payment or a refund is a thing of its own, which receivers may name. */
function withIds({ payment, refund }: Transition["beside"]) {
  return {
    ...(payment && { payment: { id: newId(), ...payment } }),
    ...(refund && { refund: { id: newId(), ...refund } }),
  };
}
