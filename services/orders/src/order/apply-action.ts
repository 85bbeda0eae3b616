// Applies an action to an order: reads it, decides what changes (`lifecycle`, pure), and writes each change (`write-change`).
import { type ApiResponse, type IdempotencyKey, required, requireMatch } from "@tradepost/http";
import { insertUnchangedRecord } from "@tradepost/idempotency";
import { type AdmittedCause, admit, type Cause } from "@tradepost/messaging";
import { newPlaceholder } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";
import { untilWritten } from "../until-written.ts";
import type { Action } from "./action-input.ts";
import { decide, derivedFields, isRecorded, type Transition } from "./lifecycle.ts";
import { decimalOf, unitsOf } from "./money.ts";
import { type Order, orderResponse } from "./order-resource.ts";
import { findOrder, findOrderWithRecorded } from "./order-store.ts";
import { refuseErased } from "./refuse-erased.ts";
import { changeWriter } from "./write-change.ts";

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
  tenant: Tenant,
  orderId: string,
  action: Action,
  { idempotencyKey, ifMatch }: Conditions,
  cause: Cause,
): Promise<ApiResponse> {
  return await untilWritten(async () => {
    const { order: before, recorded } = required(await find(tenant, orderId, action), "order");
    requireMatch(ifMatch, before.version);
    if (isRecorded(before, action, recorded)) {
      const isWritten = await recordUnchanged(tenant, before, { ...cause, idempotencyKey });
      return isWritten ? orderResponse(before) : null;
    }
    if ("reason" in action && action.reason !== undefined) await refuseErased(tenant, before);
    const pending = newPlaceholder();
    const transitions = decide(before, action, { shipmentId: newId(), at: pending });
    admit(cause, "eventBytes");
    const order = await commit(tenant, { before, transitions, pending, idempotencyKey, cause });
    return order && orderResponse(order);
  });
}

async function find(tenant: Tenant, orderId: string, action: Action) {
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
  tenant: Tenant,
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

/** In one transaction. Returns the last order, whose response is recorded, or null if the order has changed since. */
async function commit(tenant: Tenant, decided: Decided): Promise<Order | null> {
  const [first, second] = decided.transitions;
  if (first === undefined) throw new Error("an action without a transition");
  if (second === undefined) return await write(tenant, decided, first);
  return await tenant.transaction(async (tx) => {
    const before = await write(tx, { ...decided, idempotencyKey: null }, first);
    return before && (await write(tx, { ...decided, before }, second));
  });
}

async function write(
  tenant: Tenant,
  { before, pending, idempotencyKey, cause }: Decided,
  { event: type, changes, extra: { shipmentId, part, ...extra } }: Transition,
): Promise<Order | null> {
  const changed: Order = { ...before, ...changes, version: before.version + 1 };
  const order: Order = { ...changed, ...derivedFields(changed) };
  const payload = withIds(extra);
  const { trackingNumber, carrier, cancelReason: reason } = changes;
  const updatedAt = await writeTransition(tenant, {
    order,
    tracked: [trackingNumber],
    pending,
    event: { type, extra: payload },
    details: { ...payload, part, shipmentId, trackingNumber, carrier, reason },
    idempotencyKey,
    cause,
  });
  if (updatedAt === null) return null;
  const decidedTime = (time: Date | string | undefined) => (time === pending ? updatedAt : time);
  const shipments = order.shipments.map((shipment) => ({
    ...shipment,
    shippedAt: decidedTime(shipment.shippedAt) ?? updatedAt,
    deliveredAt: decidedTime(shipment.deliveredAt),
  }));
  return { ...order, shipments, updatedAt };
}

const writeTransition = changeWriter({
  status: ({ order }) => order.status,
  payment_status: ({ order }) => order.paymentStatus,
  paid_total: ({ order }) => decimalOf(unitsOf(order.paidTotal)),
  refunded_total: ({ order }) => decimalOf(unitsOf(order.refundedTotal)),
  cancel_reason: ({ order }) => order.cancelReason ?? null,
  refunded_quantities: ({ order: { items } }) =>
    items.some(({ refundedQuantity }) => refundedQuantity > 0)
      ? items.map(({ refundedQuantity }) => refundedQuantity)
      : null,
});

/** Ids let receivers refer to a payment or refund. */
function withIds({ payment, refund }: Pick<Transition["extra"], "payment" | "refund">) {
  return {
    ...(payment && { payment: { id: newId(), ...payment } }),
    ...(refund && { refund: { id: newId(), ...refund } }),
  };
}
