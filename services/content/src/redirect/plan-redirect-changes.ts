// What becomes of a site's redirects when what is seen at some paths moves to others. Pure.
import { targetPath } from "./redirect.ts";

/** Something is seen at `to` from now on, and no longer at `from`, where it was seen before. Both are normal paths. */
export interface Move {
  readonly from: string | null;
  readonly to: string;
}

export interface StandingRedirect {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: number;
}

export interface RedirectChanges {
  /** Each with the move that removes it, by its place in the list. */
  readonly removed: readonly { readonly id: string; readonly move: number }[];
  readonly added: readonly AddedRedirect[];
}

interface AddedRedirect {
  readonly from: string;
  readonly to: string;
  readonly type: number;
  readonly move: number;
  /** The redirect that it replaces. Where that is gone, this is not added. */
  readonly insteadOf: string | null;
}

type Present = StandingRedirect | AddedRedirect;

/**
 * In: the moves in their order, and the redirects from any of their paths or to where any of them was. Out: what to change:
 * a redirect from where something is seen would hide it, and goes; what led to the old path leads to the new one, with the
 * query and the fragment that it had; and the old path itself leads there, unless it leads somewhere already.
 */
export function redirectChanges(
  moves: readonly Move[],
  redirects: readonly StandingRedirect[],
): RedirectChanges {
  const present = new Map<string, Present>(redirects.map((one) => [one.from, one]));
  const removed: { id: string; move: number }[] = [];

  function take(one: Present, move: number): string | null {
    present.delete(one.from);
    if (!("id" in one)) return one.insteadOf;
    removed.push({ id: one.id, move });
    return one.id;
  }

  for (const [move, { from, to }] of moves.entries()) {
    const hiding = present.get(to);
    if (hiding !== undefined) take(hiding, move);
    if (from === null) continue;
    const leading = [...present.values()].filter((one) => targetPath(one.to) === from);
    for (const one of leading) {
      const target = `${to}${/[?#].*$/s.exec(one.to)?.[0] ?? ""}`;
      present.set(one.from, { from: one.from, to: target, type: one.type, move, insteadOf: take(one, move) });
    }
    if (!present.has(from)) present.set(from, { from, to, type: 301, move, insteadOf: null });
  }
  return { removed, added: [...present.values()].filter((one) => "move" in one) };
}
