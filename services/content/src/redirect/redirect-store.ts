// Changes and reads redirects; each change writes its event in the same transaction.

import { ApiError, type PageQuery } from "@tradepost/http";
import { type Cause, outboxRow } from "@tradepost/messaging";
import {
  newestFirst,
  type TenantDatabase,
  type TenantStatements,
  violatedConstraint,
} from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import { type Redirect, targetPath } from "./redirect.ts";

// Browsers give up after 20; each hop is a look-up while the tenant's other changes wait.
const HOPS_MAX = 1_000;

/**
 * In: a normalised `from` and a valid `to`. Throws 409 `redirect_exists` or 409 `redirect_loop`; nothing is written
 * then. Changes of one tenant wait for each other, or two of them could close a loop that neither sees.
 */
export async function addRedirect(
  tenant: TenantDatabase<Tables>,
  input: { from: string; to: string; type: number },
  cause: Cause,
): Promise<Redirect> {
  try {
    return await tenant.transaction(async (within) => {
      await lockRedirects(within);
      const toPath = targetPath(input.to);
      const chain = toPath === null ? null : await follow(within, toPath, input.from);
      if (chain === "goal") {
        throw new ApiError("redirect_loop", "This redirect would lead back to its own path.");
      }
      if (chain === "too long") {
        throw new ApiError("redirect_loop", `This redirect would lead over more than ${HOPS_MAX} others.`);
      }
      return await insertRedirect(within, input, cause);
    });
  } catch (error) {
    if (violatedConstraint(error) !== "redirects_from_key") throw error;
    throw new ApiError("redirect_exists", "A redirect from this path exists already.");
  }
}

/** Until the transaction ends, nobody else changes the tenant's redirects. */
export async function lockRedirects({ db, tenantId }: TenantStatements<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(db);
}

/** With its event. What it must not be (a second one from its path, a loop) is the caller's to look for. */
async function insertRedirect(
  { db, tenantId }: TenantStatements<Tables>,
  input: { from: string; to: string; type: number },
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

/** Where the tenant's redirects lead from `start`: to `goal`, to an end, or on and on. There are no loops yet. */
async function follow(
  { db, tenantId }: TenantStatements<Tables>,
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

/** With its event. Out: the redirect that was removed, or null where the tenant has none of this id. */
export async function removeRedirect(
  tenant: TenantDatabase<Tables>,
  id: string,
  cause: Cause,
): Promise<Redirect | null> {
  return await tenant.transaction((within) => deleteRedirect(within, id, cause));
}

async function deleteRedirect(
  { db, tenantId }: TenantStatements<Tables>,
  id: string,
  cause: Cause,
): Promise<Redirect | null> {
  const row = await db
    .deleteFrom("redirects")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  const redirect = redirectOf(row);
  await db
    .insertInto("outbox")
    .values(outboxRow("redirect.removed", redirect.id, { redirect }, cause))
    .execute();
  return redirect;
}

export async function findRedirect(
  { db, tenantId }: TenantStatements<Tables>,
  id: string,
): Promise<Redirect | null> {
  const row = await db
    .selectFrom("redirects")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : redirectOf(row);
}

/** In: a normalised path. */
export async function findRedirectFrom(
  { db, tenantId }: TenantStatements<Tables>,
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

/** Newest first; one row more than the limit where there is a next page. */
export async function listRedirects(
  { db, tenantId }: TenantStatements<Tables>,
  page: PageQuery,
): Promise<Redirect[]> {
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(redirectOf);
}

export type RedirectRow = Selectable<Tables["redirects"]>;

export function redirectOf(row: RedirectRow): Redirect {
  return { id: row.id, from: row.from_path, to: row.to_target, type: row.type, createdAt: row.created_at };
}
