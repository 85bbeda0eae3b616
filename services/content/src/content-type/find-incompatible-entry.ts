// Finds an entry that a type's new fields would make invalid: its draft could no longer be saved, or its live or scheduled
// revision could no longer be published.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { Field } from "./content-type.ts";
import { dataFaults } from "./data-faults.ts";

// Of each entry, up to three revisions of up to 2 MiB each are in memory at the same time.
const BATCH_ENTRIES = 25;

interface Candidate {
  readonly entryId: string;
  readonly data: Record<string, unknown>;
  readonly mustBeComplete: boolean;
}

/** Returns the entry's id, or null. The type must be locked, so that nobody writes another entry meanwhile. */
export async function findIncompatibleEntry(
  tx: Tenant<Tables>,
  type: string,
  fields: readonly Field[],
): Promise<string | null> {
  let after: string | null = null;
  for (;;) {
    const candidates: Candidate[] = await nextCandidates(tx, type, after);
    const incompatible = candidates.find(
      ({ data, mustBeComplete }) => dataFaults(data, fields, { mustBeComplete }).length > 0,
    );
    const last = candidates.at(-1);
    if (incompatible !== undefined) return incompatible.entryId;
    if (last === undefined) return null;
    after = last.entryId;
  }
}

/** Reads the next entries by id, so that each batch costs the same however many entries there are. */
async function nextCandidates(
  { db, tenantId }: Tenant<Tables>,
  type: string,
  after: string | null,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select entries.id as "entryId", checked.data,
           checked.revision in (coalesce(published_revision, 0), coalesce(scheduled_revision, 0)) as "mustBeComplete"
      from (select * from entries
             where tenant_id = ${tenantId} and type = ${type} and (${after}::uuid is null or id > ${after}::uuid)
             order by id
             limit ${BATCH_ENTRIES}) entries
      join entry_revisions checked on checked.tenant_id = ${tenantId} and checked.entry_id = entries.id
                               and checked.revision in (entries.revision, published_revision, scheduled_revision)
     order by entries.id`.execute(db);
  return rows;
}
