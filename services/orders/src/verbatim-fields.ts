// Metadata and addresses: JSON objects that are stored and returned as the text in which they were received (interface §1).
import { VerbatimJson } from "@tradepost/json";
import { type RawBuilder, sql } from "kysely";

export function verbatimText(text: string | null): VerbatimJson | undefined {
  return text === null ? undefined : new VerbatimJson(text);
}

/** Selects a JSON column as text, because parsing it would lose the text. */
export function verbatimColumn<Name extends string>(name: Name) {
  const text: RawBuilder<string | null> = sql`${sql.ref(name)}::text`;
  return text.as(name);
}
