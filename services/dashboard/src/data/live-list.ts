// Compares the pages of a list with its first page as it is now. The list is newest first, so the first page also says which of the
// items before its last one are gone. Pure.

interface Item {
  readonly id: string;
}

export interface Page<One> {
  readonly data: readonly One[];
  readonly nextCursor: string | null;
}

/** Returns the shown items as they are now. Nothing moves: new items are left out, and items that are gone are removed. */
export function refreshed<One extends Item>(shown: readonly One[], head: Page<One>): One[] {
  const current = new Map(head.data.map((item) => [item.id, item]));
  const covered = coveredBy(shown, head, current);
  return shown.flatMap((item, index) => current.get(item.id) ?? (index < covered ? [] : item));
}

export function newItems<One extends Item>(shown: readonly One[], head: Page<One>): One[] {
  const known = new Set(shown.map(({ id }) => id));
  return head.data.filter(({ id }) => !known.has(id));
}

/**
 * Returns the pages with the first one as it is now. If there are more new items than fit on a page, only that page remains,
 * because there would be a gap after it.
 */
export function withHead<One extends Item, Of extends Page<One>>(pages: readonly Of[], head: Of): Of[] {
  const shown = pages.flatMap(({ data }) => data);
  const current = new Map(head.data.map((item) => [item.id, item]));
  const covered = coveredBy(shown, head, current);
  if (covered === 0 || head.nextCursor === null) return [head];
  const rest = new Set(shown.slice(covered).map(({ id }) => id));
  const kept = pages.map((page) => ({
    ...page,
    data: page.data.filter(({ id }) => rest.has(id) && !current.has(id)),
  }));
  return kept.map((page, index) => (index === 0 ? { ...page, data: [...head.data, ...page.data] } : page));
}

/** Returns how many of the shown items the first page covers: all of them up to the last one that is on it. */
function coveredBy<One extends Item>(
  shown: readonly One[],
  { nextCursor }: Page<One>,
  current: ReadonlyMap<string, One>,
): number {
  if (nextCursor === null) return shown.length;
  return shown.findLastIndex(({ id }) => current.has(id)) + 1;
}
