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

type Order = DataOf<"getOrder">;
export type OrderChange = BodyOf<"updateOrder">;

const TEXTS = {
  customerNote: "Customer’s note",
  internalNote: "Internal note",
} as const;
const ADDRESSES = { shippingAddress: "Shipping address", billingAddress: "Billing address" } as const;

type TextName = keyof typeof TEXTS;
type AddressName = keyof typeof ADDRESSES;

export const EDIT_FIELDS: readonly string[] = [
  ...Object.keys(TEXTS),
  ...Object.keys(ADDRESSES).flatMap((name) => ADDRESS_FIELDS.map((field) => `${name}.${field.name}`)),
];

/** The values of the form. Parts that it did not show are absent. */
export interface Edited {
  readonly texts: Readonly<Partial<Record<TextName, string>>>;
  readonly addresses: Readonly<Partial<Record<AddressName, AddressTexts>>>;
}

/** Returns only the edited fields, so that a concurrent edit of another field is not overwritten. Null if none changed. */
export function changesOf(order: Order, { texts, addresses }: Edited): OrderChange | null {
  const changedTexts = Object.entries(texts)
    .map(([name, text]) => [name, text.trim() === "" ? null : text] as const)
    .filter(([name, text]) => text !== (order[name as TextName] ?? null));
  const changedAddresses = Object.entries(addresses)
    .filter(([name, after]) => !isSame(textsOf(order[name as AddressName]), after))
    .map(([name, after]) => [name, withTexts(order[name as AddressName], after)] as const);
  const changes = [...changedTexts, ...changedAddresses];
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

export function differences(change: OrderChange, now: Order) {
  const texts = Object.entries(TEXTS).flatMap(([name, field]) => {
    const yours = change[name as TextName];
    return yours === undefined
      ? []
      : [{ field, yours: yours ?? "None", now: now[name as TextName] ?? "None" }];
  });
  const addresses = Object.entries(ADDRESSES).flatMap(([name, field]) => {
    const yours = change[name as AddressName];
    return yours === undefined
      ? []
      : [{ field, yours: shown(yours ?? undefined), now: shown(now[name as AddressName]) }];
  });
  return [...texts, ...addresses];
}

function shown(address: Address | undefined): string {
  return address === undefined ? "None" : addressLines(address).join("\n");
}

function isSame(before: AddressTexts, after: AddressTexts): boolean {
  return ADDRESS_FIELDS.every(({ name }) => before[name] === after[name].trim());
}
