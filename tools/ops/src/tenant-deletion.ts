// `ops tenant delete`: deletes all data of a tenant from the four databases, the media storage and the queues (interface §9). The
// command can be interrupted at any point and run again. The tenant stays suspended, and can be found by its slug, until all other
// data is deleted.
import {
  type Tables as ContentTables,
  countLeftovers,
  leaveFiles,
  leaveFolder,
} from "@tradepost/content/operate";
import { type ServiceName, type TenantTable, tenantTables } from "@tradepost/data-map";
import { operatedTenants } from "@tradepost/gateway/operate";
import { decodeEvent, removeMatching } from "@tradepost/messaging";
import { BY_INDEX } from "@tradepost/postgres";
import { sleep } from "@tradepost/runtime";
import type { Command } from "commander";
import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import type { Operator } from "./arguments.ts";
import { findUndeleted } from "./tenant-data/find-undeleted.ts";
import { countRows } from "./tenant-data/read-rows.ts";
import { findTenant, suspend } from "./tenant-suspension.ts";
import { reachBroker } from "./with-database.ts";

type Counts = Record<ServiceName, number>;

/** The gateway is not listed: its rows are deleted last, because they are needed to find the tenant. */
const SERVICES = ["webhooks", "orders", "content"] as const;
/** Queues whose messages stay until an operator removes them. Messages of the other queues end when they are consumed. */
const PARKING_QUEUES = ["webhooks.dead", "webhooks.poison", "content.poison", "gateway.audit.poison"];
// Makes Postgres find rows by their index, even if the tenant has most of them.
const OPTIONS = { statementTimeoutMs: 5 * 60_000, settings: BY_INDEX };
const LOOK_EVERY_MS = 500;
// The service looks for files to delete every 10 seconds.
const NO_PROGRESS_MS_MAX = 60_000;

export function addDeleteCommand(tenant: Command, operator: Operator): void {
  tenant
    .command("delete")
    .description("delete everything of the tenant, for good")
    .argument("<slug>", "the tenant's slug or id")
    .option("--yes", "really delete it")
    .action(async (slug: string, { yes }: { yes?: true }) => {
      const found = await findDeletable(operator, slug);
      if (yes === undefined) {
        const wouldDelete = await countAll(operator, found.id);
        operator.print(
          { tenantId: found.id, wouldDelete },
          `Tenant ${found.slug} with id ${found.id} has ${sentenceOf(wouldDelete)}.\n` +
            "Nothing was deleted. Add --yes to delete all of it, with its files and messages, for good.",
        );
        operator.fail();
        return;
      }
      const deleted = await deleteTenant(operator, found.id);
      const sentence = `Deleted tenant ${found.slug}: ${sentenceOf(deleted)}.`;
      operator.print({ tenantId: found.id, deleted }, sentence);
    });
}

/** After a restore, a deleted tenant may exist again in databases other than the gateway's. It has no slug then. */
async function findDeletable(operator: Operator, slugOrId: string): Promise<{ id: string; slug: string }> {
  try {
    return await findTenant(operator, slugOrId);
  } catch (error) {
    const id = slugOrId.toLowerCase();
    const undeleted = await findUndeleted(operator);
    if (!undeleted.some(({ tenantId }) => tenantId === id)) throw error;
    return { id, slug: id };
  }
}

async function deleteTenant(operator: Operator, tenantId: string): Promise<Counts> {
  const { on, note } = operator;
  const { amqpUrl: url } = operator.addresses();
  await suspend(operator, tenantId);
  await on("gateway", (db) => operatedTenants.markDeletion(db, tenantId), OPTIONS);
  const deleted: Counts = { gateway: 0, orders: 0, content: 0, webhooks: 0 };
  for (const service of SERVICES) await on(service, (db) => closeTenant(db, tenantId), OPTIONS);
  await on("content", (db) => leaveFiles(db, tenantId));
  for (const service of SERVICES) {
    note(`Deleting the rows of the ${service} service …`);
    deleted[service] = await on(service, (db) => deleteAll(db, tenantTables[service], tenantId), OPTIONS);
  }
  note("Waiting until the content service has deleted the files …");
  await on("content", (db) => untilFilesAreDeleted(db, tenantId));
  for (const queue of PARKING_QUEUES) {
    const matches = ({ content }: { content: Buffer }) => isOf(tenantId, content);
    await reachBroker(url, () => removeMatching({ url, queue, matches }));
  }
  note("Deleting the rows of the gateway …");
  const others = tenantTables.gateway.filter(({ name }) => name !== "tenants");
  deleted.gateway = await on("gateway", (db) => deleteAll(db, others, tenantId), OPTIONS);
  deleted.gateway += await on("gateway", (db) => operatedTenants.deleteTenantRow(db, tenantId), OPTIONS);
  return deleted;
}

/** Repeats until a pass finds nothing, because a transaction may have moved rows from one table to another. */
async function deleteAll(
  db: QueryExecutorProvider,
  tables: readonly TenantTable[],
  tenantId: string,
): Promise<number> {
  for (let total = 0; ; ) {
    let count = 0;
    for (const table of tables) count += await deleteRows(db, table, tenantId);
    if (count === 0) return total;
    total += count;
  }
}

async function untilFilesAreDeleted(db: Kysely<ContentTables>, tenantId: string): Promise<void> {
  await untilNoLeftovers(db, tenantId);
  await leaveFolder(db, tenantId);
  await untilNoLeftovers(db, tenantId);
}

async function untilNoLeftovers(db: Kysely<ContentTables>, tenantId: string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let progressAt = performance.now(); ; ) {
    const { count, lastDueAt } = await countLeftovers(db, tenantId);
    if (count === 0) return;
    if (count < least) {
      least = count;
      progressAt = performance.now();
    }
    if (performance.now() - progressAt > NO_PROGRESS_MS_MAX)
      throw new Error(whyFilesAreLeft(count, lastDueAt));
    await sleep(LOOK_EVERY_MS);
  }
}

function whyFilesAreLeft(count: number, lastDueAt: Date | null): string {
  const left = `Files of ${count} assets or uploads are not deleted yet.`;
  return lastDueAt !== null && lastDueAt.getTime() > Date.now()
    ? `${left} An upload or the processing of an image was interrupted. Run the command again after ${lastDueAt.toISOString()}.`
    : `${left} The content service deletes them; see its log, and run the command again.`;
}

/** A message that is not an event is searched for the tenant's id. */
function isOf(tenantId: string, content: Buffer): boolean {
  const decoded = decodeEvent(content);
  return "event" in decoded ? decoded.event.tenant_id === tenantId : content.includes(tenantId);
}

async function countAll({ on }: Operator, tenantId: string): Promise<Counts> {
  const counts: Counts = { gateway: 0, orders: 0, content: 0, webhooks: 0 };
  for (const service of ["gateway", ...SERVICES] as const)
    for (const table of tenantTables[service])
      counts[service] += await on(service, (db) => countRows(db, table, tenantId), OPTIONS);
  return counts;
}

function sentenceOf(counts: Counts): string {
  return Object.entries(counts)
    .map(([service, count]) => `${count} rows in ${service}`)
    .join(", ");
}

const TRANSACTIONS_EVERY_MS = 100;
const WAIT_MS_MAX = 60_000;

/**
 * Records the deletion, and waits for the transactions that began before, because only later ones see the record. Throws a sentence
 * for the operator if one of them takes longer than a minute.
 */
async function closeTenant(db: QueryExecutorProvider, tenantId: string): Promise<void> {
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
    await sleep(TRANSACTIONS_EVERY_MS);
  }
}

/** The virtual ids of the other connections' transactions in this database, with their processes. Every role may see them. */
async function runningTransactions(db: QueryExecutorProvider): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; pid: number }>`
    select virtualxid as id, pid
      from pg_locks join pg_stat_activity using (pid)
     where locktype = 'virtualxid' and mode = 'ExclusiveLock' and pid <> pg_backend_pid()
       and datname = current_database() and usename is not null`.execute(db);
  return new Map(rows.map(({ id, pid }) => [id, pid]));
}

const BATCH_ROWS_MAX = 2_000;
const UNDEFINED_TABLE = "42P01";
const DEADLOCK_DETECTED = "40P01";

/** If the table is partitioned, deletes from one partition after the other. */
export async function deleteRows(
  db: QueryExecutorProvider,
  { name, tenantColumn }: Pick<TenantTable, "name" | "tenantColumn">,
  tenantId: string,
): Promise<number> {
  let deletedCount = 0;
  for (const partition of await partitionsOf(db, name)) {
    for (;;) {
      const count = await deleteBatch(db, partition, tenantColumn, tenantId);
      if (count === "again") continue;
      deletedCount += count;
      // A batch can be smaller than its limit, because it skips rows that others changed meanwhile.
      if (count === 0) break;
    }
  }
  return deletedCount;
}

/** The table itself if it is not partitioned. */
async function partitionsOf(db: QueryExecutorProvider, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relid::regclass::text as name from pg_partition_tree(${table}::regclass) where isleaf
    union all
    select ${table} where not exists (select from pg_partition_tree(${table}::regclass))`.execute(db);
  return rows.map(({ name }) => name);
}

async function deleteBatch(
  db: QueryExecutorProvider,
  table: string,
  tenantColumn: string,
  tenantId: string,
): Promise<number | "again"> {
  try {
    const { numAffectedRows } = await sql`
      delete from only ${sql.table(table)}
       where ctid = any(array(select ctid from only ${sql.table(table)}
                               where ${sql.ref(tenantColumn)} = ${tenantId} limit ${BATCH_ROWS_MAX}))`.execute(
      db,
    );
    return Number(numAffectedRows ?? 0);
  } catch (error) {
    const code = Error.isError(error) && "code" in error ? error.code : undefined;
    // The service has dropped the partition because its day is over.
    if (code === UNDEFINED_TABLE) return 0;
    // The service locked the rows in another order. Its transaction was not the one that failed.
    if (code === DEADLOCK_DETECTED) return "again";
    throw error;
  }
}
