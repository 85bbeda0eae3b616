// Closes a database to a tenant that is being deleted: afterwards nothing inserts rows for the tenant.
import { sleep } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";

const LOOK_EVERY_MS = 100;
const WAIT_MS_MAX = 60_000;

/**
 * Records the deletion, and waits for the transactions that began before, because only later ones see the record. Throws an Error,
 * with a message for the operator, if one of them takes longer than a minute.
 */
export async function closeTenant(db: Kysely<Record<string, never>>, tenantId: string): Promise<void> {
  await sql`
    insert into deleted_tenants (tenant_digest) values (sha256(uuid_send(${tenantId}::uuid)))
    on conflict do nothing`.execute(db);
  const earlier = await runningTransactions(db);
  for (const deadline = performance.now() + WAIT_MS_MAX; ; ) {
    const running = await runningTransactions(db);
    const left = [...earlier].filter(([id]) => running.has(id));
    if (left.length === 0) return;
    if (performance.now() > deadline) {
      const pids = [...new Set(left.map(([, pid]) => pid))].join(", ");
      throw new Error(
        `Transactions are open for longer than a minute (processes ${pids} of Postgres). Run the command again when they have ended.`,
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** The virtual ids of the other connections' transactions in this database, with their processes. Every role may see them. */
async function runningTransactions(db: Kysely<Record<string, never>>): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; pid: number }>`
    select virtualxid as id, pid
      from pg_locks join pg_stat_activity using (pid)
     where locktype = 'virtualxid' and mode = 'ExclusiveLock' and pid <> pg_backend_pid()
       and datname = current_database() and usename is not null`.execute(db);
  return new Map(rows.map(({ id, pid }) => [id, pid]));
}
