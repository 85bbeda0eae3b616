// Processes a list a few items at a time, so that a long list neither blocks the event loop nor floods the database.
import { yieldPeriodically } from "@tradepost/runtime";

/**
 * Processes the items in order, at most `concurrency` at a time, and lets other work run in between. Returns the results in the
 * items' order. After the first failure it starts no more items and rejects.
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  map: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const yieldToOthers = yieldPeriodically();
  let next = 0;

  async function work(): Promise<void> {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await map(items[index] as Item, index);
      await yieldToOthers();
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
  } finally {
    next = items.length;
  }
  return results;
}
