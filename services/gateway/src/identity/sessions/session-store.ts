// Sessions, which are deleted a week after they are over.
import { timingSafeEqual } from "node:crypto";
import type { Client, PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { type Logger, newId, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";
import { hashSecret } from "../signer.ts";
import type { RefreshSecrets } from "./refresh-secret.ts";
import { deleteExpiredSignIns, endUnfinishedSignIns } from "./unfinished-sign-in.ts";

export const SESSION_DAYS = 30;

export interface OpenedSession {
  readonly id: string;
  readonly refreshSecret: string;
}

export type OwnedSession = Omit<NonNullable<Awaited<ReturnType<typeof lockSession>>>, "isCurrent">;

/** Call it in the transaction that has locked the user. */
export async function openSession(
  tx: Tenant,
  userId: string,
  client: Client,
  secrets: RefreshSecrets,
  { byOidc = false } = {},
): Promise<OpenedSession> {
  const id = newId();
  const refreshSecret = secrets.issue(id);
  await tx.db
    .insertInto("sessions")
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      refresh_hash: hashSecret(refreshSecret),
      expires_at: sql<Date>`now() + ${SESSION_DAYS} * interval '1 day'`,
      ip: client.ip,
      user_agent: client.userAgent,
      by_oidc: byOidc,
    })
    .execute();
  return { id, refreshSecret };
}

/** Makes only the first of two refreshes with a secret find it current. Null if the session is over or its user inactive. */
export async function lockSession(db: Kysely<Tables>, id: string) {
  const row = await db
    .selectFrom("sessions")
    .innerJoin("users", (join) =>
      join.onRef("users.tenant_id", "=", "sessions.tenant_id").onRef("users.id", "=", "sessions.user_id"),
    )
    .select(["sessions.tenant_id", "sessions.user_id", "sessions.refresh_hash", "users.name"])
    .where("sessions.id", "=", id)
    .where("sessions.ended_at", "is", null)
    .where("sessions.expires_at", ">", sql<Date>`now()`)
    .where("users.active", "=", true)
    .forUpdate("sessions")
    .executeTakeFirst();
  return row === undefined
    ? null
    : {
        id,
        tenantId: row.tenant_id,
        userId: row.user_id,
        userName: row.name,
        isCurrent: (secret: string) => timingSafeEqual(row.refresh_hash, hashSecret(secret)),
      };
}

export async function rotateRefreshSecret(
  tx: Tenant,
  sessionId: string,
  refreshSecret: string,
  client: Client,
): Promise<void> {
  await tx.db
    .updateTable("sessions")
    .set({
      refresh_hash: hashSecret(refreshSecret),
      last_used_at: sql<Date>`now()`,
      ip: client.ip,
      user_agent: client.userAgent,
    })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", sessionId)
    .execute();
}

/** Its tokens are refused from the next request on. False if it was not open. */
export async function endSession(
  tenant: Tenant,
  { userId, id }: Pick<OwnedSession, "userId" | "id">,
): Promise<boolean> {
  const { numUpdatedRows } = await endOpenSessions(tenant, userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends sign-ins that wait for the second factor, too. Returns the number of sessions. */
export async function endUserSessions(
  tenant: Tenant,
  userId: string,
  { exceptId }: { exceptId?: string } = {},
): Promise<number> {
  await endUnfinishedSignIns(tenant, userId);
  const all = endOpenSessions(tenant, userId);
  const ending = exceptId === undefined ? all : all.where("id", "!=", exceptId);
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

const FRESH_MINUTES = 5;

/** A sign-in at the provider stands for the password. */
export async function isFreshAtProvider(tenant: Tenant, id: string): Promise<boolean> {
  const row = await tenant.db
    .selectFrom("sessions")
    .select("id")
    .where("tenant_id", "=", tenant.tenantId)
    .where("id", "=", id)
    .where("by_oidc", "=", true)
    .where("created_at", ">", sql<Date>`now() - ${FRESH_MINUTES} * interval '1 minute'`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listSessions(tenant: Tenant, userId: string, page: PageQuery) {
  const open = tenant.db
    .selectFrom("sessions")
    .select([
      "id",
      "created_at as createdAt",
      sql<Date>`coalesce(last_used_at, created_at)`.as("lastUsedAt"),
      "expires_at as expiresAt",
      "ip",
      "user_agent as userAgent",
    ])
    .where("tenant_id", "=", tenant.tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`);
  return await newestFirst(open, page).execute();
}

function endOpenSessions(tenant: Tenant, userId: string) {
  return tenant.db
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenant.tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`);
}

// Shows where a stolen session was used.
const KEEP_DAYS = 7;
const BATCH = 1_000;
const CHECK_EVERY_MS = 10 * 60 * 1_000;
// Deleting a backlog does not slow down requests.
const NEXT_BATCH_MS = 100;

/** Deletes at most one batch, oldest first. */
export async function deleteOldSessions(db: Kysely<Tables>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where (tenant_id, id) in (
      select tenant_id, id from sessions
       where least(ended_at, expires_at) < now() - ${KEEP_DAYS} * interval '1 day'
       order by least(ended_at, expires_at)
       limit ${BATCH}
         for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes sign-ins whose code never came, too. */
export function startSessionCleanup(db: Kysely<Tables>, logger: Logger): Repetition {
  return repeatOrWarn(logger, "old sessions could not be deleted; retrying", CHECK_EVERY_MS, async () => {
    const count = await deleteOldSessions(db);
    const expiredCount = await deleteExpiredSignIns(db, BATCH);
    if (count > 0) logger.info({ count }, "old sessions deleted");
    return Math.max(count, expiredCount) < BATCH ? CHECK_EVERY_MS : NEXT_BATCH_MS;
  });
}
