// Plans how a site's redirects change when entries move to new paths. Pure.
import type { Redirect } from "./redirect-store.ts";
import { targetPath } from "./site-path.ts";

/** An entry is live at `to` from now on, and no longer at `from`, if it was live before. Both are normal paths. */
export interface Move {
  readonly from: string | null;
  readonly to: string;
}

export type ExistingRedirect = Pick<Redirect, "id" | "from" | "to" | "type">;

export type RedirectChanges = ReturnType<typeof planRedirectChanges>;

interface AddedRedirect {
  readonly from: string;
  readonly to: string;
  readonly type: number;
  readonly move: number;
  /** The id of the redirect that this one replaces. If that redirect has been deleted meanwhile, this one is not added. */
  readonly replaces: string | null;
}

type PlannedRedirect = ExistingRedirect | AddedRedirect;

/**
 * `redirects` are the redirects from any path of the moves and the redirects to an old path. For each move, in order:
 *
 * - a redirect from the new path is removed, because it would hide the entry;
 * - redirects to the old path are retargeted to the new path, and keep their query and fragment;
 * - a redirect from the old path to the new path is added, unless the old path has a redirect already.
 */
export function planRedirectChanges(moves: readonly Move[], redirects: readonly ExistingRedirect[]) {
  const byPath = new Map<string, PlannedRedirect>(redirects.map((one) => [one.from, one]));
  const removed: { id: string; move: number }[] = [];

  function remove(one: PlannedRedirect, move: number): string | null {
    byPath.delete(one.from);
    if (!("id" in one)) return one.replaces;
    removed.push({ id: one.id, move });
    return one.id;
  }

  function removeBlockingRedirect(path: string, move: number): void {
    const blocking = byPath.get(path);
    if (blocking !== undefined) remove(blocking, move);
  }

  function retarget(from: string, to: string, move: number): void {
    const toOldPath = [...byPath.values()].filter((one) => targetPath(one.to) === from);
    for (const one of toOldPath) {
      const target = `${to}${/[?#].*$/s.exec(one.to)?.[0] ?? ""}`;
      byPath.set(one.from, { from: one.from, to: target, type: one.type, move, replaces: remove(one, move) });
    }
  }

  for (const [move, { from, to }] of moves.entries()) {
    removeBlockingRedirect(to, move);
    if (from === null) continue;
    retarget(from, to, move);
    if (!byPath.has(from)) byPath.set(from, { from, to, type: 301, move, replaces: null });
  }
  return { removed, added: [...byPath.values()].filter((one) => "move" in one) };
}
