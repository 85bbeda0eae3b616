// Metadata and addresses: JSON objects that are stored and returned as the text they came as (interface §1).
import { type KeptMembers, VerbatimJson, verbatim } from "@tradepost/json";
import { type RawBuilder, sql } from "kysely";

/** The members of a body of the order routes that keep their text. */
export const KEPT_OF_ORDER: KeptMembers = { names: ["metadata", "shippingAddress", "billingAddress"] };

/** The same for customers. */
export const KEPT_OF_CUSTOMER: KeptMembers = { names: ["metadata"] };

/** A field of a body, as resources and columns contain it; undefined if it is absent or null. */
export function verbatimOf(value: object | null | undefined): VerbatimJson | undefined {
  return value === null || value === undefined ? undefined : verbatim(value);
}

/** A field of a PATCH as resources contain it: null removes it, an object keeps its text. */
export function shownValue<Text>(value: Text | object | null | undefined): Text | VerbatimJson | undefined {
  return typeof value === "object" ? verbatimOf(value) : value;
}

/** The text of a JSON column as `verbatimColumn` selects it. */
export function verbatimText(text: string | null): VerbatimJson | undefined {
  return text === null ? undefined : new VerbatimJson(text);
}

/** Selects a JSON column as text: parsing it would lose the text. */
export function verbatimColumn<Name extends string>(name: Name) {
  const text: RawBuilder<string | null> = sql`${sql.ref(name)}::text`;
  return text.as(name);
}
