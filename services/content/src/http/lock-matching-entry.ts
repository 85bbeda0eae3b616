// Locks the entry that a request is about, if the entry still has the version that the request names.
import { notFound, requireMatch } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type EntryRow, lockEntry } from "../entry/entry-store.ts";
import type { Tables } from "../tables.ts";

/** Locks the entry until the transaction ends. Throws 404, or 412 `version_mismatch` if `If-Match` names another version. */
export async function lockMatchingEntry(
  tx: Tenant<Tables>,
  { id, raw }: { id: string; raw: { headers: { "if-match"?: string | undefined } } },
): Promise<EntryRow> {
  const entry = await lockEntry(tx, id);
  if (entry === null) throw notFound("entry");
  requireMatch(raw.headers["if-match"], entry.version);
  return entry;
}
