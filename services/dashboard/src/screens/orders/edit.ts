// The changes of an edit, and how they differ from the saved order. Pure.
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import {
  ADDRESS_FIELDS,
  type Address,
  type AddressTexts,
  addressLines,
  textsOf,
  withTexts,
} from "../../format/address.ts";
import { differencesOf, editedTexts } from "../../format/edited.ts";

type Order = DataOf<"getOrder">;
type OrderChange = BodyOf<"updateOrder">;

export const NOTES = [
  { name: "internalNote", label: "Internal note" },
  { name: "customerNote", label: "Customer’s note" },
] as const;
export const ADDRESSES = [
  { name: "shippingAddress", label: "Shipping address", legend: "Ship to" },
  { name: "billingAddress", label: "Billing address", legend: "Bill to" },
] as const;

export type AddressName = (typeof ADDRESSES)[number]["name"];

export interface Edited {
  readonly texts: Readonly<Record<(typeof NOTES)[number]["name"], string>>;
  readonly addresses: Readonly<Partial<Record<AddressName, AddressTexts>>>;
}

/** Returns only the edited fields, so that a concurrent edit of another field is not overwritten. Null if none changed. */
export function changesOf(order: Order, { texts, addresses }: Edited): OrderChange | null {
  const changedAddresses = ADDRESSES.flatMap(({ name }) => {
    const after = addresses[name];
    if (after === undefined || isSame(textsOf(order[name]), after)) return [];
    return [[name, withTexts(order[name], after)] as const];
  });
  const changes = { ...editedTexts(order, texts), ...Object.fromEntries(changedAddresses) };
  return Object.keys(changes).length === 0 ? null : changes;
}

export function differences(change: OrderChange, now: Order) {
  return [...differencesOf(NOTES, change, now), ...differencesOf(ADDRESSES, change, now, shown)];
}

function shown(address: unknown): string {
  return addressLines(address as Address).join("\n");
}

function isSame(before: AddressTexts, after: AddressTexts): boolean {
  return ADDRESS_FIELDS.every(({ name }) => before[name] === after[name].trim());
}
