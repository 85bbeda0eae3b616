// Looks for an entry that a type's new fields would make invalid: a draft that could not be written any more, a live or
// scheduled revision that could not be published.
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import { dataFaults } from "../entry/entry-data.ts";
import type { Tables } from "../tables.ts";
import type { Field } from "./content-type.ts";

// Each has up to three revisions that count, of up to 2 MiB each, in memory at a time.
const BATCH_ENTRIES = 25;

interface Candidate {
  readonly entryId: string;
  readonly data: Record<string, unknown>;
  readonly isToBeWhole: boolean;
}

/** Out: the id of one that breaks, or null. The type is locked: nobody writes another meanwhile. */
export async function findEntryThatBreaks(
  within: TenantStatements<Tables>,
  type: string,
  fields: readonly Field[],
): Promise<string | null> {
  let after: string | null = null;
  for (;;) {
    const candidates: Candidate[] = await nextCandidates(within, type, after);
    const broken = candidates.find(
      ({ data, isToBeWhole }) => dataFaults(data, fields, { isToBeWhole }).length > 0,
    );
    const last = candidates.at(-1);
    if (broken !== undefined) return broken.entryId;
    if (last === undefined) return null;
    after = last.entryId;
  }
}

/** Of the next entries by their ids, so that each batch costs the same, however many entries there are. */
async function nextCandidates(
  { db, tenantId }: TenantStatements<Tables>,
  type: string,
  after: string | null,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select entries.id as "entryId", made.data,
           made.revision in (coalesce(published_revision, 0), coalesce(scheduled_revision, 0)) as "isToBeWhole"
      from (select * from entries
             where tenant_id = ${tenantId} and type = ${type} and (${after}::uuid is null or id > ${after}::uuid)
             order by id
             limit ${BATCH_ENTRIES}) entries
      join entry_revisions made on made.tenant_id = ${tenantId} and made.entry_id = entries.id
                               and made.revision in (entries.revision, published_revision, scheduled_revision)
     order by entries.id`.execute(db);
  return rows;
}
