// Changes a tenant's redirects when live entries move to new paths, with five statements for any number of moves.
import { type AdmittedCause, outboxRow } from "@tradepost/messaging";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import { insertEvents } from "../events.ts";
import type { Tenant } from "../tables.ts";
import { type Move, planRedirectChanges, type RedirectChanges } from "./plan-redirect-changes.ts";
import { type RedirectRow, redirectOf, VERSION_IN } from "./redirect-store.ts";
import { targetPath } from "./site-path.ts";

/**
 * A transaction retargets at most this many redirects to an old path, the oldest first, so that a tenant with many redirects
 * cannot make it long. The others still lead to the old path, and from there to the new path: one hop more.
 */
const RETARGETED_MAX = 1_000;

/**
 * Carries out what `planRedirectChanges` plans for the moves. Each change writes its event, caused by its move. The
 * transaction must have begun with `lockRedirects`.
 */
export async function retargetRedirects(
  tx: Tenant,
  moves: readonly (Move & { readonly cause: AdmittedCause })[],
): Promise<void> {
  if (moves.length === 0) return;
  const existing = await redirectsAround(tx, moves);
  const changes = planRedirectChanges(moves, existing.map(redirectOf));
  const causeOf = (move: number) => moves[move]?.cause as AdmittedCause;
  const deleted = await deleteRows(tx, changes);
  const created = await insertRows(tx, changes, new Set(deleted.map(({ id }) => id)));
  const events = [
    ...deleted.map((row) => ({ type: "redirect.removed" as const, row, move: moveOf(changes, row) })),
    ...created.map(({ row, move }) => ({ type: "redirect.added" as const, row, move })),
  ];
  await insertEvents(
    tx,
    events.map(({ type, row, move }) =>
      outboxRow(type, row.id, { redirect: { ...redirectOf(row), version: VERSION_IN[type] } }, causeOf(move)),
    ),
  );
}

async function redirectsAround({ db, tenantId }: Tenant, moves: readonly Move[]) {
  const oldPaths = moves.flatMap(({ from }) => from ?? []);
  const paths = [...oldPaths, ...moves.map(({ to }) => to)];
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  const from = await all.where(sql<boolean>`from_path = any(${paths})`).execute();
  if (oldPaths.length === 0) return from;
  const to = await all
    .where(sql<boolean>`to_path = any(${oldPaths})`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(RETARGETED_MAX)
    .execute();
  return [...new Map([...to, ...from].map((row) => [row.id, row])).values()];
}

async function deleteRows({ db, tenantId }: Tenant, { removed }: RedirectChanges) {
  if (removed.length === 0) return [];
  return await db
    .deleteFrom("redirects")
    .where("tenant_id", "=", tenantId)
    .where(sql<boolean>`id = any(${removed.map(({ id }) => id)}::uuid[])`)
    .returningAll()
    .execute();
}

async function insertRows(
  { db, tenantId }: Tenant,
  { added }: RedirectChanges,
  deletedIds: ReadonlySet<string>,
): Promise<{ row: RedirectRow; move: number }[]> {
  const wanted = added.filter(({ replaces }) => replaces === null || deletedIds.has(replaces));
  if (wanted.length === 0) return [];
  const moveOfPath = new Map(wanted.map(({ from, move }) => [from, move]));
  const { rows } = await sql<RedirectRow>`
    insert into redirects (tenant_id, id, from_path, to_target, to_path, type)
    select ${tenantId}, redirect.*
      from unnest(${wanted.map(() => newId())}::uuid[], ${wanted.map(({ from }) => from)}::text[],
                  ${wanted.map(({ to }) => to)}::text[], ${wanted.map(({ to }) => targetPath(to))}::text[],
                  ${wanted.map(({ type }) => type)}::smallint[]) redirect
    returning *`.execute(db);
  return rows.map((row) => ({ row, move: moveOfPath.get(row.from_path) ?? 0 }));
}

function moveOf({ removed }: RedirectChanges, { id }: RedirectRow): number {
  return removed.find((one) => one.id === id)?.move ?? 0;
}
