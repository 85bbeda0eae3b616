// Creates, deletes and reads redirects. Each change writes its event in the same transaction.

import { ApiError, type PageQuery } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import { newestFirst, type Tenant, type TenantDatabase, violatedConstraint } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type Redirect, targetPath } from "./redirect.ts";
import type { RedirectInput } from "./redirect-input.ts";

// Browsers give up after 20 redirects. Each hop costs a lookup while the tenant's other changes wait.
const HOPS_MAX = 1_000;

/**
 * `from` is a normal path and `to` is valid. Throws 409 `redirect_exists` or 409 `redirect_loop`. Changes of one tenant
 * wait for each other; otherwise two could close a loop together that neither closes by itself.
 */
export async function createRedirect(
  tenant: TenantDatabase<Tables>,
  input: RedirectInput,
  cause: Cause,
): Promise<Redirect> {
  try {
    return await tenant.transaction(async (tx) => {
      await lockRedirects(tx);
      const toPath = targetPath(input.to);
      const chain = toPath === null ? null : await followChain(tx, toPath, input.from);
      if (chain === "goal") {
        throw new ApiError("redirect_loop", "The redirect would close a loop.");
      }
      if (chain === "too long") {
        throw new ApiError(
          "redirect_loop",
          `The redirect would start a chain of more than ${HOPS_MAX} redirects.`,
        );
      }
      return await insertRedirect(tx, input, cause);
    });
  } catch (error) {
    if (violatedConstraint(error) !== "redirects_from_key") throw error;
    throw new ApiError("redirect_exists", "A redirect from this path already exists.");
  }
}

/** Locks the tenant's redirects until the transaction ends. */
export async function lockRedirects({ db, tenantId }: Tenant<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(db);
}

async function insertRedirect(
  { db, tenantId }: Tenant<Tables>,
  input: RedirectInput,
  cause: Cause,
): Promise<Redirect> {
  const row = await db
    .insertInto("redirects")
    .values({
      tenant_id: tenantId,
      id: newId(),
      from_path: input.from,
      to_target: input.to,
      to_path: targetPath(input.to),
      type: input.type,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const redirect = redirectOf(row);
  await db
    .insertInto("outbox")
    .values(outboxRow("redirect.added", redirect.id, { redirect }, cause))
    .execute();
  return redirect;
}

/** Follows the redirects from `start` to `goal`, to the end of the chain, or over too many hops. There are no loops. */
async function followChain(
  { db, tenantId }: Tenant<Tables>,
  start: string,
  goal: string,
): Promise<"goal" | "end" | "too long"> {
  const { rows } = await sql<{ isGoal: boolean | null; hops: number | null }>`
    with recursive chain (path, hops) as (
      select ${start}::text, 0
      union all
      select redirects.to_path, chain.hops + 1 from chain
        join redirects on redirects.tenant_id = ${tenantId} and redirects.from_path = chain.path
       where redirects.to_path is not null and chain.hops <= ${HOPS_MAX} and chain.path <> ${goal}
    )
    select bool_or(path = ${goal}) as "isGoal", max(hops) as hops from chain`.execute(db);
  if (rows[0]?.isGoal) return "goal";
  return (rows[0]?.hops ?? 0) > HOPS_MAX ? "too long" : "end";
}

/** Returns false if the redirect does not exist. */
export async function deleteRedirect(
  tenant: TenantDatabase<Tables>,
  id: string,
  cause: Cause,
): Promise<boolean> {
  return await tenant.transaction(async ({ db, tenantId }) => {
    const row = await db
      .deleteFrom("redirects")
      .where("tenant_id", "=", tenantId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return false;
    await db
      .insertInto("outbox")
      .values(outboxRow("redirect.removed", id, { redirect: redirectOf(row) }, cause))
      .execute();
    return true;
  });
}

export async function findRedirect({ db, tenantId }: Tenant<Tables>, id: string): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

/** `from` is a normal path. */
export async function findRedirectFrom(
  { db, tenantId }: Tenant<Tables>,
  from: string,
): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("from_path", "=", from)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

/** Newest first, one more than the limit if there is a next page. */
export async function listRedirects({ db, tenantId }: Tenant<Tables>, page: PageQuery): Promise<Redirect[]> {
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(redirectOf);
}

export type RedirectRow = Selectable<Tables["redirects"]>;

export function redirectOf(row: RedirectRow): Redirect {
  return { id: row.id, from: row.from_path, to: row.to_target, type: row.type, createdAt: row.created_at };
}
