// Claims a batch of a tenant's due entries, each with the revision that is to go live.
import { sql } from "kysely";
import type { Tenant } from "../tables.ts";
import type { Revision } from "./entry-resource.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./entry-store.ts";

const ENTRIES_MAX = 100;
// The first entry is claimed whatever its size.
const DATA_BYTES_MAX = 8 * 1024 * 1024;

export interface DueEntry {
  readonly entry: EntryRow;
  readonly revision: Revision | null;
  readonly liveSlug: string | null;
}

interface ScheduledRevision {
  readonly id: string;
  readonly isForLater: boolean;
  readonly revision: number | null;
  readonly slug: string | null;
  readonly data: Record<string, unknown> | null;
  readonly liveSlug: string | null;
}

/**
 * Locks the entries, the longest due first, and skips locked ones. With `onlyId`, claims at most that entry.
 *
 * The lock of the first entry gives the transaction its id, and the change feed is in the order of these ids. If somebody changed
 * another entry after that, the feed would show its publication before that change. So an entry is claimed only in the version
 * that it had when the statement began; another version is claimed next time.
 */
export async function claimDue(tx: Tenant, onlyId?: string): Promise<DueEntry[]> {
  const { db, tenantId } = tx;
  const { rows } = await sql<EntryRow>`
    with due as materialized (
      select id, version from entries
       where tenant_id = ${tenantId} and schedule_try_at <= now()
         and (${onlyId ?? null}::uuid is null or id = ${onlyId ?? null}::uuid)
       order by schedule_try_at, id
       limit ${ENTRIES_MAX})
    select claimed.*
      from due
      cross join lateral (
        select ${sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))} from entries
         where tenant_id = ${tenantId} and entries.id = due.id and entries.version = due.version
           and schedule_try_at <= now()
         limit 1 for update skip locked) claimed
     order by schedule_try_at, id`.execute(db);
  if (rows.length === 0) return [];
  const scheduled = await scheduledRevisions(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.flatMap((entry) => {
    const found = scheduled.get(entry.id);
    return found === undefined || found.isForLater
      ? []
      : [{ entry, revision: revisionOf(found), liveSlug: found.liveSlug }];
  });
}

// The LIMITs keep the planner from joining by tenant only, while its statistics are older than the entries.
async function scheduledRevisions({ db, tenantId }: Tenant, ids: string[]) {
  const { rows } = await sql<ScheduledRevision>`
    select id, before_bytes >= ${DATA_BYTES_MAX} as "isForLater", revision, slug, "liveSlug",
           case when before_bytes < ${DATA_BYTES_MAX} then data end as data
      from (select entries.id, scheduled.revision, scheduled.slug, scheduled.data, live.slug as "liveSlug",
                   sum(octet_length(scheduled.data::text)) over in_order
                     - octet_length(scheduled.data::text) as before_bytes
              from entries
              left join lateral (
                select revision, slug, data from entry_revisions
                 where entry_revisions.tenant_id = entries.tenant_id and entry_id = entries.id
                   and entry_revisions.revision = entries.scheduled_revision
                 limit 1) scheduled on true
              left join lateral (
                select slug from entry_revisions
                 where entry_revisions.tenant_id = entries.tenant_id and entry_id = entries.id
                   and entry_revisions.revision = entries.published_revision
                 limit 1) live on true
             where entries.tenant_id = ${tenantId} and entries.id = any(${ids}::uuid[])
            window in_order as (order by entries.schedule_try_at, entries.id)) due`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

function revisionOf({ revision, slug, data }: ScheduledRevision): Revision | null {
  return revision === null || slug === null || data === null ? null : { revision, slug, data };
}
