// Publishes what is due, on every replica, by the database's clock: an index says whose entries are due, tenants take
// turns, a batch of a tenant's entries goes live in one transaction. What cannot go live says why on its entry, and is
// tried again.
import { isDatabaseUnavailable, type TenantDatabase, type TenantDatabases } from "@tradepost/postgres";
import type { Logger, Repetition } from "@tradepost/runtime";
import type { Pool } from "pg";
import type { Tables } from "../tables.ts";
import { startTurns, TENANTS_FOUND_MAX } from "../take-turns.ts";
import { noteFailures, publishBatch } from "./publish-batch.ts";

const LOOK_EVERY_MS = 250;
// Of the 16 connections that requests use as well.
const TENANTS_AT_ONCE = 4;
// A lock that is not had in time, or two that wait for each other: nothing is wrong with the entries.
const LOCKED_SQLSTATE = /^(55P03|40P01)$/;
const INNER_FAULT = "Something went wrong on our side.";

// Where nothing is due, one look into an index; else from tenant to tenant by another, however many entries each has.
const FIND_TENANTS = `
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
   limit ${TENANTS_FOUND_MAX}`;

/** In: a pool that may look at every tenant's times, and the tenants' own databases, in which the work is done. */
export function startPublishingDue(options: {
  pool: Pool;
  tenants: TenantDatabases<Tables>;
  onCommit: () => void;
  logger: Logger;
}): Repetition {
  const { pool, tenants, onCommit, logger } = options;
  return startTurns({
    what: "due entries",
    slots: TENANTS_AT_ONCE,
    lookEveryMs: LOOK_EVERY_MS,
    findTenants: async () =>
      (await pool.query<{ tenantId: string }>(FIND_TENANTS)).rows.map(({ tenantId }) => tenantId),
    takeTurn: (tenantId) => publishNext(tenants.of(tenantId)),
    logger,
  });

  async function publishNext(tenant: TenantDatabase<Tables>): Promise<boolean> {
    const claimed: string[] = [];
    try {
      await publish(tenant, claimed);
    } catch (error) {
      if (claimed.length === 0 || isPassing(error)) throw error;
      logger.warn(
        { err: error, tenantId: tenant.tenantId },
        "a batch could not be published; trying one by one",
      );
      for (const id of claimed) await publishOne(tenant, id);
    }
    return claimed.length > 0;
  }

  /** Of a batch that failed: the entry that is to blame fails without the others. */
  async function publishOne(tenant: TenantDatabase<Tables>, id: string): Promise<void> {
    try {
      await publish(tenant, [], id);
    } catch (error) {
      if (isPassing(error)) throw error;
      const { tenantId } = tenant;
      logger.error({ err: error, tenantId, entryId: id }, "could not be published on time; trying again");
      await noteFailures(tenant, [{ id, why: INNER_FAULT }]);
    }
  }

  async function publish(tenant: TenantDatabase<Tables>, claimed: string[], only?: string): Promise<void> {
    const startedAt = performance.now();
    const done = await tenant.transaction((within) => publishBatch(within, claimed, only));
    if (done.publishedCount > 0) onCommit();
    if (claimed.length === 0 && only === undefined) return;
    const durationMs = Math.round(performance.now() - startedAt);
    logger.info({ tenantId: tenant.tenantId, ...done, durationMs }, "published on time");
  }
}

function isPassing(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseUnavailable(error) || (typeof code === "string" && LOCKED_SQLSTATE.test(code));
}
