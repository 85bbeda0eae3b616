// Changes the notes, metadata, addresses or parcel of an order. Its event is for the change feed only.
import { isDeepStrictEqual } from "node:util";
import { type ApiResponse, notFound, required, requireMatch } from "@tradepost/http";
import { admit, type Cause } from "@tradepost/messaging";
import { newPlaceholder } from "@tradepost/postgres";
import type { Tenant } from "../tables.ts";
import { untilWritten } from "../until-written.ts";
import { refusal } from "./lifecycle.ts";
import type { OrderChange } from "./order-input.ts";
import { type Order, orderResponse, type Shipment } from "./order-resource.ts";
import { findOrder } from "./order-store.ts";
import { refuseErased } from "./refuse-erased.ts";
import { changeWriter } from "./write-change.ts";

interface Change {
  readonly changeOf: (before: Order) => OrderChange;
  /** The latest one by default. */
  readonly shipmentId?: string | undefined;
}

/**
 * Changing nothing leaves the version as it is.
 * @throws 404; 412 if `ifMatch`, the header, names another version; 409 `customer_erased` or `quota_exceeded`; what `decideUpdate` throws.
 */
export async function updateOrder(
  tenant: Tenant,
  orderId: string,
  { changeOf, shipmentId }: Change,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<ApiResponse> {
  return await untilWritten(async () => {
    const before = required(await findOrder(tenant, orderId), "order");
    const shipment =
      shipmentId === undefined
        ? before.shipments.at(-1)
        : before.shipments.find(({ id }) => id === shipmentId.toLowerCase());
    if (shipmentId !== undefined && shipment === undefined) throw notFound("shipment");
    const change = changeOf(before);
    requireMatch(ifMatch, before.version);
    if (TEXTS.some((name) => name in change)) await refuseErased(tenant, before);
    const { order, changed, parcel } = decideUpdate(before, change, shipment);
    if (changed.length === 0) return orderResponse(before);
    admit(cause, "eventBytes");
    const updatedAt = await writeUpdate(tenant, {
      order,
      tracked: [parcel.trackingNumber],
      pending: newPlaceholder(),
      event: { type: "order.updated" },
      details: { changed, ...parcel, ...(shipmentId !== undefined && { shipmentId: shipment?.id }) },
      idempotencyKey: null,
      cause,
    });
    return updatedAt && orderResponse({ ...order, updatedAt });
  });
}

const writeUpdate = changeWriter({
  customer_note: ({ order }) => order.customerNote ?? null,
  internal_note: ({ order }) => order.internalNote ?? null,
  metadata: ({ order }) => order.metadata?.text ?? null,
  shipping_address: ({ order }) => order.shippingAddress?.text ?? null,
  billing_address: ({ order }) => order.billingAddress?.text ?? null,
});

type Changeable = keyof OrderChange;

const TEXTS = ["customerNote", "internalNote", "metadata", "shippingAddress", "billingAddress"] as const;
const ADDRESSES = ["shippingAddress", "billingAddress"] as const;
const PARCEL = ["trackingNumber", "carrier"] as const;

/** @throws 409 `invalid_transition` for an address if the order is no longer placed, or a parcel if nothing is shipped. */
function decideUpdate(before: Order, change: OrderChange, shipment: Shipment | undefined) {
  if (before.status !== "placed" && ADDRESSES.some((name) => name in change)) {
    throw refusal(
      "invalid_transition",
      `The addresses of an order that is ${before.status} cannot change.`,
      before,
    );
  }
  if (shipment === undefined && PARCEL.some((name) => name in change)) {
    throw refusal("invalid_transition", `An order that is ${before.status} has no parcel to track.`, before);
  }
  const { trackingNumber, carrier } = shipment ?? {};
  const stored = { ...before, trackingNumber, carrier };
  const changed = (Object.keys(change) as Changeable[]).filter(
    (name) => !isDeepStrictEqual(change[name] ?? undefined, stored[name]),
  );
  const valuesOf = (names: readonly Changeable[]) =>
    Object.fromEntries(names.map((name) => [name, change[name] ?? undefined]));
  const parcel: Pick<Shipment, (typeof PARCEL)[number]> = valuesOf(
    PARCEL.filter((name) => changed.includes(name)),
  );
  const order = {
    ...before,
    ...valuesOf(changed),
    shipments: before.shipments.map((one) => (one === shipment ? { ...one, ...parcel } : one)),
    version: before.version + 1,
  };
  const latest = order.shipments.at(-1);
  return {
    order: { ...order, trackingNumber: latest?.trackingNumber, carrier: latest?.carrier },
    changed,
    parcel,
  };
}
