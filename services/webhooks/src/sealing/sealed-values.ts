// The sealed values in the database: three columns of `subscriptions`. Listeners and the canary have their secrets there, too.
import { sql } from "kysely";

/** For whom a signing secret is sealed. */
export function ownerOfSecret(tenantId: string, subscriptionId: string): string {
  return `${tenantId}.${subscriptionId}`;
}

/** For whom the headers of a subscription's own are sealed: they do not open as its secret. */
export function ownerOfHeaders(tenantId: string, subscriptionId: string): string {
  return `${tenantId}.${subscriptionId}.headers`;
}

// As `sealingKeyIdOf`. A byte that is no letter is escaped, so it ends the match.
const KEY_ID = sql.raw("'^key:([A-Za-z0-9_.-]{1,32}):'");

/** The id of the key that a sealed column names, as SQL; null if it names none. */
export function keyIdOf(column: "secret_sealed" | "previous_secret_sealed" | "headers_sealed" | "value") {
  return sql<
    string | null
  >`substring(encode(substring(${sql.ref(column)} from 1 for 37), 'escape') from ${KEY_ID})`;
}
