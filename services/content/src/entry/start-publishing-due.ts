// Publishes due entries, on every replica, by the database's clock. Tenants with due entries, which an index shows, take turns,
// and each turn publishes a batch in one transaction. An entry that cannot go live shows the reason as its `scheduleError` and
// is retried after a minute.
import { isDatabaseUnavailable, type TenantDatabases } from "@tradepost/postgres";
import type { Logger, Repetition } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { lockRedirects } from "../redirect/redirect.ts";
import { startRoundRobin, TENANTS_FOUND_MAX } from "../round-robin.ts";
import type { Tables, Tenant } from "../tables.ts";
import { claimDue } from "./claim-due.ts";
import { publishBatch, recordFailures } from "./publish-batch.ts";

// An entry goes live within 2 s of its time (interface §5).
const WAITS = { minMs: 1_000, maxMs: 1_000 };
// A batch takes one of the 16 connections, which requests also use.
const TENANTS_AT_ONCE = 4;
// A batch that waits longer for a lock would keep other tenants from their turn.
const LOCK_WAIT_MS = 2_000;
const LOCKED_SQLSTATE = /^(55P03|40P01)$/;
const INTERNAL_ERROR = "Something went wrong on our side.";

/** The role of `db` may read the publication times of every tenant; entries are published as their tenant. */
export function startPublishingDue(options: {
  db: Kysely<Tables>;
  tenants: TenantDatabases<Tables>;
  onCommit: () => void;
  logger: Logger;
}): Repetition {
  const { db, tenants, onCommit, logger } = options;
  return startRoundRobin({
    name: "due entries",
    slots: TENANTS_AT_ONCE,
    waits: WAITS,
    findTenants: () => findDueTenants(db),
    processNext: (tenantId) => publishNext(tenants.of(tenantId)),
    logger,
  });

  async function publishNext(tenant: Tenant): Promise<boolean> {
    let claimedIds: string[] = [];
    const onClaim = (ids: string[]) => {
      claimedIds = ids;
    };
    try {
      await publish(tenant, onClaim);
    } catch (error) {
      if (claimedIds.length === 0 || isTransient(error)) throw error;
      const { tenantId } = tenant;
      logger.warn({ err: error, tenantId }, "publishing a batch failed; publishing its entries one by one");
      for (const id of claimedIds) await publishOne(tenant, id);
    }
    return claimedIds.length > 0;
  }

  /** Publishes one entry of a failed batch, so that only the entry at fault fails. */
  async function publishOne(tenant: Tenant, id: string): Promise<void> {
    try {
      await publish(tenant, () => {}, id);
    } catch (error) {
      if (isTransient(error)) throw error;
      const { tenantId } = tenant;
      logger.error({ err: error, tenantId, entryId: id }, "publishing a due entry failed; retrying");
      await recordFailures(tenant, [{ id, reason: INTERNAL_ERROR }]);
    }
  }

  /** Passes the claimed ids to `onClaim` before it publishes, which may fail. */
  async function publish(tenant: Tenant, onClaim: (ids: string[]) => void, onlyId?: string): Promise<void> {
    const startedAt = performance.now();
    const { publishedCount, failedCount, claimedCount } = await tenant.transaction(async (tx) => {
      await limitLockWait(tx);
      // Always, because most batches give an entry another path or its first path.
      await lockRedirects(tx);
      const due = await claimDue(tx, onlyId);
      onClaim(due.map(({ entry }) => entry.id));
      return { ...(await publishBatch(tx, due)), claimedCount: due.length };
    });
    if (publishedCount > 0) onCommit();
    if (claimedCount === 0 && onlyId === undefined) return;
    const durationMs = Math.round(performance.now() - startedAt);
    const { tenantId } = tenant;
    logger.info({ tenantId, publishedCount, failedCount, durationMs }, "due entries published");
  }
}

/** Skips from tenant to tenant in an index, however many entries each has. */
async function findDueTenants(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    with recursive scheduled (tenant_id) as (
      (select tenant_id from entries
        where schedule_try_at is not null and exists (select from entries where schedule_try_at <= now())
        order by tenant_id limit 1)
      union all
      select (select entries.tenant_id from entries
               where schedule_try_at is not null and entries.tenant_id > scheduled.tenant_id
               order by entries.tenant_id limit 1)
        from scheduled where scheduled.tenant_id is not null
    )
    select tenant_id as "tenantId" from scheduled
     where exists (select from entries where entries.tenant_id = scheduled.tenant_id and schedule_try_at <= now())
     limit ${TENANTS_FOUND_MAX}`.execute(db);
  return rows.map(({ tenantId }) => tenantId);
}

async function limitLockWait({ db }: Tenant): Promise<void> {
  await sql`select set_config('lock_timeout', ${String(LOCK_WAIT_MS)}, true)`.execute(db);
}

function isTransient(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseUnavailable(error) || (typeof code === "string" && LOCKED_SQLSTATE.test(code));
}
