// Records that a database was restored from a backup (table `restores`), for `ops restored` and `ops verify`.
import { type QueryExecutorProvider, sql } from "kysely";
import { ADOPT_RESTORED } from "./adopt-restored.ts";

export interface RecordedRestore {
  readonly at: Date;
  /** The moment of the backup; null if no commit was lost. */
  readonly restoredTo: Date | null;
}

/**
 * Reads the restores of a database, oldest first; the migration adds the first row. `hasMoved` means that the database was
 * restored since the latest row, `hasStayed` that it was not. Both are false if the database may not read its own identity.
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
 * Records a restore to `restoredTo`, or null if no commit was lost. Call it in a transaction, as the owner, before the service
 * starts; with null the service may be running. Returns false if this restore was already recorded.
 *
 * From then on, readers of the change feed whose cursors are ahead of the restored events get 410 (interface §10).
 */
export async function recordRestore(tx: QueryExecutorProvider, restoredTo: Date | null): Promise<boolean> {
  await sql`lock table restores in share row exclusive mode`.execute(tx);
  const { restores, hasMoved } = await readRestoreState(tx);
  const latest = restores.at(-1);
  // If the server does not reveal its identity, a restore to the same moment counts as the same restore.
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
