// Records when API keys were last used: in memory on each request, in the database in batches.
import { type Logger, repeatOnDemand } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../tables.ts";

const CHECK_EVERY_MS = 5_000;
const WRITE_EVERY_MS = 60_000;
const BATCH = 1_000;

interface Use {
  readonly tenantId: string;
  at: number;
  isWritten: boolean;
  writtenAt: number;
}

/** A killed process loses the times of the last minute, which are only a hint. */
export function startLastUsed(
  db: Kysely<Tables>,
  logger: Logger,
  { writeEveryMs = WRITE_EVERY_MS, checkEveryMs = CHECK_EVERY_MS } = {},
) {
  /** The uses of about the last minute. Bounded, because only valid keys are recorded. */
  const uses = new Map<string, Use>();

  async function write(due: readonly [string, Use][]): Promise<void> {
    for (let start = 0; start < due.length; start += BATCH) {
      const batch = due
        .slice(start, start + BATCH)
        .map(([id, use]) => ({ id, tenantId: use.tenantId, use, at: use.at }));
      await writeTimes(db, batch);
      for (const { use, at } of batch) {
        use.isWritten = use.at === at;
        use.writtenAt = Date.now();
      }
    }
  }

  async function flush(isLast: boolean): Promise<void> {
    const isDue = (use: Use) => isLast || Date.now() - use.writtenAt >= writeEveryMs;
    for (const [id, use] of uses) if (use.isWritten && isDue(use)) uses.delete(id);
    await write([...uses].filter(([, use]) => !use.isWritten && isDue(use)));
  }

  const warning = "times of last use not written; retrying";
  const flushing = repeatOnDemand(logger, warning, checkEveryMs, {
    hasWork: () => uses.size > 0,
    run: async () => {
      await flush(false);
      return checkEveryMs;
    },
  });
  return {
    record: ({ tenantId, id }: Record<"tenantId" | "id", string>) => {
      const use = uses.get(id);
      if (use === undefined) uses.set(id, { tenantId, at: Date.now(), isWritten: false, writtenAt: 0 });
      else Object.assign(use, { at: Date.now(), isWritten: false });
      flushing.begin();
    },
    stop: async () => {
      await flushing.stop();
      await flush(true).catch((error: unknown) => logger.warn({ err: error }, warning));
    },
  };
}

/**
 * Another replica may have written a later time, and the gateway's clock may be ahead of the database's. Rows are locked in
 * order, so that replicas do not deadlock.
 */
async function writeTimes(db: Kysely<Tables>, uses: readonly { tenantId: string; id: string; at: number }[]) {
  const tenantIds = uses.map(({ tenantId }) => tenantId);
  const ids = uses.map(({ id }) => id);
  const times = uses.map(({ at }) => new Date(at));
  await sql`
    with used as (
      select tenant_id, id, uses.at
        from unnest(${tenantIds}::uuid[], ${ids}::uuid[], ${times}::timestamptz[]) as uses (tenant_id, id, at)
        join api_keys using (tenant_id, id)
       order by tenant_id, id
         for update of api_keys)
    update api_keys set last_used_at = greatest(last_used_at, least(used.at, revoked_at, expires_at))
      from used where api_keys.tenant_id = used.tenant_id and api_keys.id = used.id`.execute(db);
}
