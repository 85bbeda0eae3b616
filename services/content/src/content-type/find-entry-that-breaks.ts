// Looks for an entry that a type's new fields would make invalid: a draft that could not be written any more, a live or
// scheduled revision that could not be published.
import type { TenantStatements } from "@tradepost/postgres";
import { type RawBuilder, sql } from "kysely";
import { dataFaults } from "../entry/entry-data.ts";
import type { Tables } from "../tables.ts";
import type { Field } from "./content-type.ts";

const BATCH_REVISIONS = 500;

interface Candidate {
  readonly entryId: string;
  readonly revision: number;
  readonly data: Record<string, unknown>;
  readonly isToBeWhole: boolean;
}

/** Out: the id of one that breaks, or null. The type is locked: nobody writes another meanwhile. */
export async function findEntryThatBreaks(
  within: TenantStatements<Tables>,
  type: string,
  fields: readonly Field[],
): Promise<string | null> {
  let after = sql`true`;
  for (;;) {
    const candidates = await nextCandidates(within, type, after);
    const broken = candidates.find(
      ({ data, isToBeWhole }) => dataFaults(data, fields, { isToBeWhole }).length > 0,
    );
    const last = candidates.at(-1);
    if (broken !== undefined) return broken.entryId;
    if (last === undefined) return null;
    after = sql`(entry_id, made.revision) > (${last.entryId}, ${last.revision})`;
  }
}

async function nextCandidates(
  { db, tenantId }: TenantStatements<Tables>,
  type: string,
  after: RawBuilder<unknown>,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select entry_id as "entryId", made.revision, made.data,
           made.revision in (coalesce(published_revision, 0), coalesce(scheduled_revision, 0)) as "isToBeWhole"
      from entries
      join entry_revisions made on made.tenant_id = entries.tenant_id and made.entry_id = entries.id
                               and made.revision in (entries.revision, published_revision, scheduled_revision)
     where entries.tenant_id = ${tenantId} and entries.type = ${type} and ${after}
     order by entry_id, made.revision
     limit ${BATCH_REVISIONS}`.execute(db);
  return rows;
}
