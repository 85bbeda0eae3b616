// Changes and reads redirects; each change writes its event in the same transaction.
import { ApiError, type PageQuery } from "@tradepost/http";
import { outboxRow } from "@tradepost/messaging";
import { newestFirst, violatedConstraint } from "@tradepost/postgres";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { v7 as uuidv7 } from "uuid";
import type { Tables } from "../tables.ts";
import { type Redirect, targetPath } from "./redirect.ts";

type Cause = Parameters<typeof outboxRow>[3];

/**
 * In: a normalised `from` and a valid `to`. Throws 409 `redirect_exists` or 409 `redirect_loop`; nothing is written
 * then. Changes of one tenant wait for each other, or two of them could close a loop that neither sees.
 */
export async function addRedirect(
  db: Kysely<Tables>,
  input: { from: string; to: string; type: number },
  cause: Cause,
): Promise<Redirect> {
  const { tenantId } = cause.principal;
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(tx);
      const toPath = targetPath(input.to);
      if (toPath !== null && (await leadsTo(tx, tenantId, toPath, input.from))) {
        throw new ApiError("redirect_loop", "This redirect would lead back to its own path.");
      }
      const row = await tx
        .insertInto("redirects")
        .values({
          tenant_id: tenantId,
          id: uuidv7(),
          from_path: input.from,
          to_target: input.to,
          to_path: toPath,
          type: input.type,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const redirect = redirectOf(row);
      await tx
        .insertInto("outbox")
        .values(outboxRow("redirect.added", redirect.id, { redirect }, cause))
        .execute();
      return redirect;
    });
  } catch (error) {
    if (violatedConstraint(error) !== "redirects_from_key") throw error;
    throw new ApiError("redirect_exists", "A redirect from this path exists already.");
  }
}

/** Whether following the tenant's redirects from `start` comes to `goal`. A chain without loops has an end. */
async function leadsTo(
  tx: Transaction<Tables>,
  tenantId: string,
  start: string,
  goal: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive chain (path) as (
      select ${start}::text
      union
      select redirects.to_path from chain
        join redirects on redirects.tenant_id = ${tenantId} and redirects.from_path = chain.path
       where redirects.to_path is not null
    )
    select exists (select 1 from chain where path = ${goal}) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/** Out: the redirect that was removed, or null where the tenant has none of this id. */
export async function removeRedirect(db: Kysely<Tables>, id: string, cause: Cause): Promise<Redirect | null> {
  return await db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom("redirects")
      .where("tenant_id", "=", cause.principal.tenantId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return null;
    const redirect = redirectOf(row);
    await tx
      .insertInto("outbox")
      .values(outboxRow("redirect.removed", redirect.id, { redirect }, cause))
      .execute();
    return redirect;
  });
}

export async function findRedirect(
  db: Kysely<Tables>,
  tenantId: string,
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
  db: Kysely<Tables>,
  tenantId: string,
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
  db: Kysely<Tables>,
  tenantId: string,
  page: PageQuery,
): Promise<Redirect[]> {
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(redirectOf);
}

function redirectOf(row: Selectable<Tables["redirects"]>): Redirect {
  return { id: row.id, from: row.from_path, to: row.to_target, type: row.type, createdAt: row.created_at };
}
