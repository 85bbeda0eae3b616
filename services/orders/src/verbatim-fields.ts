// Metadata and addresses are stored and returned as the text that was received (interface §1).
import { VerbatimJson } from "@tradepost/json";
import { type RawBuilder, sql } from "kysely";

export function verbatimText(text: string | null): VerbatimJson | undefined {
  return text === null ? undefined : new VerbatimJson(text);
}

/** Parsing would lose the text. */
export function verbatimColumn<Name extends string>(name: Name) {
  const text: RawBuilder<string | null> = sql`${sql.ref(name)}::text`;
  return text.as(name);
}
