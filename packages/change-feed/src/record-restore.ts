// Records that a database was restored from a backup (`restores.sql`), for `ops restored` and `ops verify`.
import { type QueryExecutorProvider, sql } from "kysely";
import { ADOPT_RESTORED } from "./adopt-restored.ts";

export interface RecordedRestore {
  readonly at: Date;
  /** The moment of the backup; null if nothing that was committed is missing. */
  readonly restoredTo: Date | null;
}

/**
 * The restores of a database, oldest first. The first row is from the migration. `hasMoved` means that a restore since the latest
 * is not recorded, `hasStayed` that the database is where it was; neither is true if the database may not tell.
 */
export async function readRestoreState(
  db: QueryExecutorProvider,
): Promise<{ restores: RecordedRestore[]; hasMoved: boolean; hasStayed: boolean }> {
  const { rows } = await sql<RecordedRestore & { hasMoved: boolean | null }>`
    select at, restored_to as "restoredTo", identity <> database_identity() as "hasMoved"
      from restores order by restores.id`.execute(db);
  return {
    restores: rows.map(({ at, restoredTo }) => ({ at, restoredTo })),
    hasMoved: rows.at(-1)?.hasMoved ?? false,
    hasStayed: rows.at(-1)?.hasMoved === false,
  };
}

/**
 * Records a restore to `restoredTo`; null means that nothing that was committed is missing. Call it in a transaction, as the
 * owner, before the service starts; with null the service may run. Returns false if the restore was recorded before: the database has
 * not moved since.
 *
 * From then on, readers of the change feed whose cursors are ahead of the restored events get 410 (interface §10).
 */
export async function recordRestore(tx: QueryExecutorProvider, restoredTo: Date | null): Promise<boolean> {
  await sql`lock table restores in share row exclusive mode`.execute(tx);
  const { restores, hasMoved } = await readRestoreState(tx);
  const latest = restores.at(-1);
  // A server that does not tell its identity: the same moment is the same restore.
  const isKnown = latest?.restoredTo?.getTime() === restoredTo?.getTime();
  if (!hasMoved && isKnown) return false;
  await sql.raw(ADOPT_RESTORED).execute(tx);
  await sql`
    insert into restores (restored_to, identity, last_xid, last_id)
    select ${restoredTo}, database_identity(), coalesce(last.xid, '0'), coalesce(last.id, 0)
      from (select) as always
      left join (select xid, id from outbox union all select xid, id from published_events
                  order by xid desc, id desc limit 1) as last on true`.execute(tx);
  return true;
}
