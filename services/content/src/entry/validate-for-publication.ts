// Validates a revision before it goes live or is scheduled: nothing required is missing, and everything that it refers
// to exists.
import { type FieldFault, invalid } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { lockContentType } from "../content-type/content-type-store.ts";
import { dataFaults } from "../content-type/data-faults.ts";
import type { Tables } from "../tables.ts";
import type { Revision } from "./entry.ts";
import type { EntryRow } from "./entry-store.ts";
import { findUnknownIds } from "./find-unknown-ids.ts";

/** Throws 422 with every fault. */
export async function validateForPublication(
  tx: Tenant<Tables>,
  { type }: EntryRow,
  { data }: Revision,
): Promise<void> {
  const contentType = await lockContentType(tx, type);
  const fields = contentType?.fields ?? [];
  const faults: FieldFault[] = dataFaults(data, fields, { mustBeComplete: true });
  const [unknownIds = []] = await findUnknownIds(tx, [{ data, fields }]);
  if (faults.length + unknownIds.length > 0) throw invalid([...faults, ...unknownIds]);
}
