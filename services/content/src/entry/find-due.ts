// Takes a batch of a tenant's due entries in hand, each with the revision that is to go live.
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { Revision } from "./entry.ts";
import type { EntryRow } from "./entry-store.ts";

const ENTRIES_MAX = 100;
// An entry's data may have 2 MiB. The first is taken whatever its size.
const DATA_BYTES_MAX = 8 * 1024 * 1024;

export interface DueEntry {
  readonly entry: EntryRow;
  /** The one that is scheduled; null where it is lost. */
  readonly revision: Revision | null;
  /** Of the revision that is live; null where none is. */
  readonly liveSlug: string | null;
}

interface Pinned {
  readonly id: string;
  readonly isForLater: boolean;
  readonly revision: number | null;
  readonly slug: string | null;
  readonly data: Record<string, unknown> | null;
  readonly liveSlug: string | null;
}

/**
 * Locked until the transaction ends; what is locked already is passed over. Those that have been due for longest come
 * first. Out: none where nothing is due, or all of it is in other hands.
 */
export async function claimDue(within: TenantStatements<Tables>, only?: string): Promise<DueEntry[]> {
  const { db, tenantId } = within;
  const rows = await db
    .selectFrom("entries")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("schedule_try_at", "<=", sql<Date>`now()`)
    .$if(only !== undefined, (query) => query.where("id", "=", only ?? ""))
    .orderBy("schedule_try_at")
    .orderBy("id")
    .limit(ENTRIES_MAX)
    .forUpdate()
    .skipLocked()
    .execute();
  if (rows.length === 0) return [];
  const pinned = await pinnedRevisions(
    within,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((entry) => {
    const its = pinned.get(entry.id);
    return its === undefined || its.isForLater
      ? []
      : [{ entry, revision: revisionOf(its), liveSlug: its.liveSlug }];
  });
}

async function pinnedRevisions({ db, tenantId }: TenantStatements<Tables>, ids: string[]) {
  const { rows } = await sql<Pinned>`
    select id, before_bytes >= ${DATA_BYTES_MAX} as "isForLater", revision, slug, "liveSlug",
           case when before_bytes < ${DATA_BYTES_MAX} then data end as data
      from (select entries.id, pinned.revision, pinned.slug, pinned.data, live.slug as "liveSlug",
                   sum(octet_length(pinned.data::text)) over in_order - octet_length(pinned.data::text) as before_bytes
              from entries
              left join entry_revisions pinned on pinned.tenant_id = entries.tenant_id
                    and pinned.entry_id = entries.id and pinned.revision = entries.scheduled_revision
              left join entry_revisions live on live.tenant_id = entries.tenant_id
                    and live.entry_id = entries.id and live.revision = entries.published_revision
             where entries.tenant_id = ${tenantId} and entries.id = any(${ids}::uuid[])
            window in_order as (order by entries.schedule_try_at, entries.id)) due`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function revisionOf({ revision, slug, data }: Pinned): Revision | null {
  return revision === null || slug === null || data === null ? null : { revision, slug, data };
}
