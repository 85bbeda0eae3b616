// Work that is cheaper done together: what finds the way free goes at once, with all that came in the same turn of the event
// loop, and what comes meanwhile goes together after it. So nothing waits for company, and the busier it gets, the larger
// the groups and the less each costs.

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * In: `work`, which takes a group in the order in which it came, and resolves with what each came to in the same order,
 * or with an Error for one that failed; how many a group holds; and for how long the next waits for the one before it, so
 * that one that is stuck does not hold up the rest. Out: has one item done. It rejects where the item, or the whole of its
 * group, fails.
 */
export function inGroups<Item, Result>(options: {
  readonly itemsMax: number;
  readonly patienceMs: number;
  readonly work: (group: readonly Item[]) => Promise<readonly (Result | Error | Promise<Result>)[]>;
}): (item: Item) => Promise<Result> {
  const { itemsMax, patienceMs, work } = options;
  const waiting: Asked<Item, Result>[] = [];
  let isFree = true;

  function next(): void {
    if (!isFree || waiting.length === 0) return;
    isFree = false;
    const passOn = once(() => {
      clearTimeout(patience);
      isFree = true;
      next();
    });
    const patience = setTimeout(passOn, patienceMs);
    void answer(waiting.splice(0, itemsMax)).finally(passOn);
  }

  async function answer(group: readonly Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await work(group.map(({ item }) => item));
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index] as (typeof results)[number];
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length === 1) setImmediate(next);
    });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
