// Metadata and addresses: JSON objects that are stored and returned as the text in which they were received (interface §1).
import { type KeptMembers, VerbatimJson, verbatim } from "@tradepost/json";
import { type RawBuilder, sql } from "kysely";

export const KEPT_OF_ORDER: KeptMembers = { names: ["metadata", "shippingAddress", "billingAddress"] };

export const KEPT_OF_CUSTOMER: KeptMembers = { names: ["metadata"] };

/** Returns a field of a body in the form that resources and columns contain; undefined if it is missing or null. */
export function verbatimOf(value: object | null | undefined): VerbatimJson | undefined {
  return value === null || value === undefined ? undefined : verbatim(value);
}

/** Returns a field of a PATCH in the form that resources contain: null removes it, an object keeps its text. */
export function shownValue<Text>(value: Text | object | null | undefined): Text | VerbatimJson | undefined {
  return typeof value === "object" ? verbatimOf(value) : value;
}

export function verbatimText(text: string | null): VerbatimJson | undefined {
  return text === null ? undefined : new VerbatimJson(text);
}

/** Selects a JSON column as text, because parsing it would lose the text. */
export function verbatimColumn<Name extends string>(name: Name) {
  const text: RawBuilder<string | null> = sql`${sql.ref(name)}::text`;
  return text.as(name);
}
