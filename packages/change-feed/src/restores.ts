// Restores of the database from a backup: their events are adopted, and the table `restores` records them.
//
// The transaction ids of events that came from another server, with a restored backup or a copy made by pg_dump, may be higher than any
// that this server has assigned, and the feed would hide such events. They get the id of the transaction that adopts them and keep
// the order of their numbers. A reader whose cursor is older then finds all of them; a cursor that is ahead of the server gets 410.
import { inTransaction, withoutTimeouts } from "@tradepost/postgres";
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import { type QueryExecutorProvider, sql } from "kysely";
import type { Pool } from "pg";

const CHECK_EVERY_MS = 60 * 60_000;
const RETRY_EVERY_MS = 1_000;
// Scanning all events would take minutes.
const NEWEST_ROWS_MAX = 1_000;

/** Adopts restored events at once, and then once an hour, until stopped. */
export function startAdoptingRestored(pool: Pool, logger: Logger) {
  return repeatOrWarn(
    logger,
    "could not look for events of a restored database; retrying",
    RETRY_EVERY_MS,
    async () => {
      const { rows } = await pool.query<{ isRestored: boolean }>(FIND_RESTORED);
      if (rows[0]?.isRestored) {
        // The statement may have to update every event.
        await inTransaction(pool, (client) => withoutTimeouts(client, () => client.query(ADOPT_RESTORED)));
        logger.warn("the events of a restored database were adopted");
        // A relay may have moved an event meanwhile.
        return RETRY_EVERY_MS;
      }
      return CHECK_EVERY_MS;
    },
  );
}

const HAS_FUTURE_XID = "xid >= pg_snapshot_xmax(pg_current_snapshot())";

const FIND_RESTORED = `
  select coalesce(bool_or(${HAS_FUTURE_XID}), false) as "isRestored"
    from (select xid from outbox
          union all
          (select xid from published_events order by published_at desc, id desc limit ${NEWEST_ROWS_MAX})) as newest`;

// Published events have lower numbers than those in the outbox, so they keep their order.
const ADOPT_RESTORED = `
  with published as (update published_events set xid = pg_current_xact_id() where ${HAS_FUTURE_XID})
  update outbox set xid = pg_current_xact_id() where ${HAS_FUTURE_XID}`;

interface RecordedRestore {
  readonly at: Date;
  readonly restoredTo: Date | null;
}

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
