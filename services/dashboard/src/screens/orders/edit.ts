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
import { editedTexts, textDifferences } from "../../format/edited.ts";

type Order = DataOf<"getOrder">;
export type OrderChange = BodyOf<"updateOrder">;

const TEXTS = {
  customerNote: "Customer’s note",
  internalNote: "Internal note",
} as const;
const ADDRESSES = { shippingAddress: "Shipping address", billingAddress: "Billing address" } as const;

type TextName = keyof typeof TEXTS;
type AddressName = keyof typeof ADDRESSES;

export interface Edited {
  readonly texts: Readonly<Record<TextName, string>>;
  readonly addresses: Readonly<Partial<Record<AddressName, AddressTexts>>>;
}

/** Returns only the edited fields, so that a concurrent edit of another field is not overwritten. Null if none changed. */
export function changesOf(order: Order, { texts, addresses }: Edited): OrderChange | null {
  const changedAddresses = Object.entries(addresses)
    .filter(([name, after]) => !isSame(textsOf(order[name as AddressName]), after))
    .map(([name, after]) => [name, withTexts(order[name as AddressName], after)] as const);
  const changes = { ...editedTexts(order, texts), ...Object.fromEntries(changedAddresses) };
  return Object.keys(changes).length === 0 ? null : changes;
}

export function differences(change: OrderChange, now: Order) {
  const addresses = Object.entries(ADDRESSES).flatMap(([name, field]) => {
    const yours = change[name as AddressName];
    return yours === undefined
      ? []
      : [{ field, yours: shown(yours ?? undefined), now: shown(now[name as AddressName]) }];
  });
  return [...textDifferences(TEXTS, change, now), ...addresses];
}

function shown(address: Address | undefined): string {
  return address === undefined ? "None" : addressLines(address).join("\n");
}

function isSame(before: AddressTexts, after: AddressTexts): boolean {
  return ADDRESS_FIELDS.every(({ name }) => before[name] === after[name].trim());
}
