// Works through a list a few items at a time, so that neither the event loop nor the database gets all of it at once.
import { yieldOften } from "@tradepost/runtime";

/**
 * Starts the items in their order, `atOnce` of them side by side, and lets other work run in between. Out: the results
 * in the items' order. The first failure rejects, and nothing more is started.
 */
export async function fewAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pause = yieldOften();
  let next = 0;

  async function workOn(): Promise<void> {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index] as Item, index);
      await pause();
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  } finally {
    next = items.length;
  }
  return results;
}
