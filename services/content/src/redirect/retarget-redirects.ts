// Keeps old paths leading to what has moved, in five statements for any number of moves.
import { type Cause, outboxRow } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";
import { targetPath } from "./redirect.ts";
import { type Move, type RedirectChanges, redirectChanges } from "./redirect-moves.ts";
import { lockRedirects, type RedirectRow, redirectOf } from "./redirect-store.ts";

/**
 * How many redirects one transaction leads straight on, the oldest first. The others go on to lead to the old path, and
 * over the redirect from there: one hop more, but no transaction that lasts as long as a tenant cares to make it.
 */
const LED_ON_MAX = 1_000;

/** In: moves with what caused each. See `redirect-moves` for what they do; each change writes its event. */
export async function moveRedirects(
  within: TenantStatements<Tables>,
  moves: readonly (Move & { readonly cause: Cause })[],
): Promise<void> {
  if (moves.length === 0) return;
  await lockRedirects(within);
  const standing = await redirectsAbout(within, moves);
  const changes = redirectChanges(moves, standing.map(redirectOf));
  const causeOf = (move: number) => moves[move]?.cause as Cause;
  const removed = await remove(within, changes);
  const added = await add(within, changes, new Set(removed.map(({ id }) => id)));
  const events = [
    ...removed.map((row) => ({ type: "redirect.removed", row, move: moveOf(changes, row) })),
    ...added.map(({ row, move }) => ({ type: "redirect.added", row, move })),
  ];
  if (events.length === 0) return;
  await within.db
    .insertInto("outbox")
    .values(
      events.map(({ type, row, move }) =>
        outboxRow(type, row.id, { redirect: redirectOf(row) }, causeOf(move)),
      ),
    )
    .execute();
}

/** Those from any of the paths, and those to where something was. */
async function redirectsAbout(
  { db, tenantId }: TenantStatements<Tables>,
  moves: readonly Move[],
): Promise<RedirectRow[]> {
  const old = moves.flatMap(({ from }) => from ?? []);
  const paths = [...old, ...moves.map(({ to }) => to)];
  const all = db.selectFrom("redirects").selectAll().where("tenant_id", "=", tenantId);
  const from = await all.where(sql<boolean>`from_path = any(${paths})`).execute();
  if (old.length === 0) return from;
  const to = await all
    .where(sql<boolean>`to_path = any(${old})`)
    .orderBy("created_at")
    .orderBy("id")
    .limit(LED_ON_MAX)
    .execute();
  return [...new Map([...to, ...from].map((row) => [row.id, row])).values()];
}

/** Out: those that were still there: somebody may have removed one meanwhile. */
async function remove(
  { db, tenantId }: TenantStatements<Tables>,
  { removed }: RedirectChanges,
): Promise<RedirectRow[]> {
  if (removed.length === 0) return [];
  return await db
    .deleteFrom("redirects")
    .where("tenant_id", "=", tenantId)
    .where(sql<boolean>`id = any(${removed.map(({ id }) => id)}::uuid[])`)
    .returningAll()
    .execute();
}

async function add(
  { db, tenantId }: TenantStatements<Tables>,
  { added }: RedirectChanges,
  removedIds: ReadonlySet<string>,
): Promise<{ row: RedirectRow; move: number }[]> {
  const wanted = added.filter(({ insteadOf }) => insteadOf === null || removedIds.has(insteadOf));
  if (wanted.length === 0) return [];
  const moveOfPath = new Map(wanted.map(({ from, move }) => [from, move]));
  const rows = await db
    .insertInto("redirects")
    .values(
      wanted.map(({ from, to, type }) => ({
        ...{ tenant_id: tenantId, id: newId(), from_path: from },
        ...{ to_target: to, to_path: targetPath(to), type },
      })),
    )
    .returningAll()
    .execute();
  return rows.map((row) => ({ row, move: moveOfPath.get(row.from_path) ?? 0 }));
}

function moveOf({ removed }: RedirectChanges, { id }: RedirectRow): number {
  return removed.find((one) => one.id === id)?.move ?? 0;
}
