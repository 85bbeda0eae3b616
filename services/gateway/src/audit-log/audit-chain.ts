// The chains of the tenants' audit logs (interface §25). A trigger writes them, in the transaction of the entry.
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../tables.ts";
import { entryOf } from "./audit-log-store.ts";

export async function readChain({ db, tenantId }: Tenant, n: number, limit: number) {
  const rows = await db
    .selectFrom("audit_log")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("n", ">", String(n))
    .orderBy("n")
    .limit(limit)
    .execute();
  return rows.map((row) => entryOf(row).shown);
}

export async function readHeads(db: Kysely<Tables>) {
  const rows = await db
    .selectFrom("audit_heads")
    .select(["tenant_id", "n", "hash"])
    .orderBy("tenant_id")
    .execute();
  return rows.map(({ tenant_id: tenantId, n, hash }) => ({
    tenantId,
    n: Number(n),
    hash: hash.toString("hex"),
  }));
}

/** For a tenant without entries, `n` is 0 and the hash all zeros. */
export async function readHead({ db, tenantId }: Tenant) {
  const row = await db
    .selectFrom("audit_heads")
    .select(["n", "hash", "at"])
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  return { n: Number(row?.n ?? 0), hash: row?.hash.toString("hex") ?? "0".repeat(64), at: row?.at ?? null };
}

const CHECK_EVERY_MS = 60 * 60 * 1_000;
const BATCH = 1_000;
const NEXT_BATCH_MS = 1_000;

/** Once a day, logs the heads that have moved: a chain that is cut or rewritten later does not lead to them. */
export function startLoggingHeads(db: Kysely<Tables>, logger: Logger) {
  return repeatOrWarn(logger, "heads of audit logs were not logged; retrying", CHECK_EVERY_MS, async () =>
    (await logHeads(db, logger)) < BATCH ? CHECK_EVERY_MS : NEXT_BATCH_MS,
  );
}

export async function logHeads(db: Kysely<Tables>, logger: Logger): Promise<number> {
  const { rows } = await sql<{ tenantId: string; n: string; hash: string }>`
    update audit_heads set logged_n = n, logged_on = (now() at time zone 'utc')::date
     where tenant_id in (select tenant_id from audit_heads
                          where n > logged_n and logged_on is distinct from (now() at time zone 'utc')::date
                          limit ${BATCH} for update skip locked)
    returning tenant_id as "tenantId", n, encode(hash, 'hex') as hash`.execute(db);
  for (const { tenantId, n, hash } of rows)
    logger.info({ tenantId, n: Number(n), hash }, "head of an audit log");
  return rows.length;
}
