// The changes of an edit, and how they differ from the saved customer. Pure.
import type { BodyOf, DataOf } from "@tradepost/client/operations";

type Customer = DataOf<"getCustomer">;
type Change = BodyOf<"updateCustomer">;

const FIELDS = { name: "Name", email: "E-mail", phone: "Phone", externalId: "External id" } as const;
type Texts = Readonly<Record<keyof typeof FIELDS, string>>;

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Returns only the edited fields, so that a concurrent edit of another field is not overwritten. Null if none changed. */
export function changesOf(customer: Customer, texts: Texts): Change | null {
  const changes = NAMES.filter((name) => texts[name] !== (customer[name] ?? "")).map((name) => [
    name,
    texts[name] === "" ? null : texts[name],
  ]);
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

export function differences(change: Change, now: Customer) {
  return NAMES.filter((name) => change[name] !== undefined).map((name) => ({
    field: FIELDS[name],
    yours: change[name] ?? "None",
    now: now[name] ?? "None",
  }));
}
