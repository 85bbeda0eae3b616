// Decides what a PATCH changes of an order (interface §4). Pure.
import { isDeepStrictEqual } from "node:util";
import { shownValue } from "../verbatim-fields.ts";
import { refusal } from "./lifecycle.ts";
import type { OrderChange } from "./order-input.ts";
import type { Order } from "./order-resource.ts";

/** The fields that a PATCH may name. */
export type Changeable = keyof OrderChange;

const ADDRESSES = ["shippingAddress", "billingAddress"] as const;
const PARCEL = ["trackingNumber", "carrier"] as const;

/**
 * Returns the order with its new values and the names of the fields that have one, none if all are as they were.
 * @throws 409 `invalid_transition` if the change names an address and the order is no longer placed, or a parcel and it is not
 * fulfilled yet.
 */
export function decideUpdate(before: Order, change: OrderChange): { order: Order; changed: Changeable[] } {
  if (before.status !== "placed" && ADDRESSES.some((name) => name in change)) {
    throw refusal(
      "invalid_transition",
      `The addresses of an order that is ${before.status} cannot change.`,
      before,
    );
  }
  const isShipped = before.status === "fulfilled" || before.status === "delivered";
  if (!isShipped && PARCEL.some((name) => name in change)) {
    throw refusal("invalid_transition", `An order that is ${before.status} has no parcel to track.`, before);
  }
  const changed = (Object.keys(change) as Changeable[]).filter(
    (name) => !isDeepStrictEqual(shownValue(change[name]), before[name]),
  );
  const values = Object.fromEntries(changed.map((name) => [name, shownValue(change[name])]));
  return { order: { ...before, ...values }, changed };
}
