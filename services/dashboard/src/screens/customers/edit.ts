// What an edit changes of a customer, and how it differs from what is saved. Pure.
import type { BodyOf, DataOf } from "@tradepost/client/operations";

type Customer = DataOf<"getCustomer">;
type Change = BodyOf<"updateCustomer">;

const FIELDS = { name: "Name", email: "E-mail", phone: "Phone", externalId: "External id" } as const;
type Texts = Readonly<Record<keyof typeof FIELDS, string>>;

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Only what differs: what stays as it is, someone else may change meanwhile. Null if nothing differs. */
export function changesOf(customer: Customer, texts: Texts): Change | null {
  const changes = NAMES.filter((name) => texts[name] !== (customer[name] ?? "")).map((name) => [
    name,
    texts[name] === "" ? null : texts[name],
  ]);
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/** The changed fields as they were sent, and as they are saved now. */
export function differences(change: Change, now: Customer) {
  return NAMES.filter((name) => change[name] !== undefined).map((name) => ({
    field: FIELDS[name],
    yours: change[name] ?? "None",
    now: now[name] ?? "None",
  }));
}
