// Does work together that is cheaper in batches. The first batch starts at the end of the current turn of the event loop; items that arrive
// while it runs form the next one, so batches grow with the load.

const LINGER_MAX_MS = 10;
const LARGE_BATCH = 32;

/**
 * Returns how long to wait for more items after a batch of `count`: 1 ms for each item except one, because a large batch costs little more
 * than one item. There is no wait after a single item or a large batch.
 */
export function lingerMs(count: number): number {
  return count < LARGE_BATCH ? Math.min(count - 1, LINGER_MAX_MS) : 0;
}

interface PendingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns a function that does one item as part of a batch. It rejects if the item or the whole batch fails. */
export function batch<Item, Result>(options: {
  readonly itemsMax: number;
  /** An item waits for the batch before it for at most this time. */
  readonly maxWaitMs: number;
  /** Whether a batch waits `lingerMs` after the one before it. */
  readonly lingers?: boolean;
  /** Resolves with a result for each item in order, an Error for a failed item. */
  readonly work: (items: readonly Item[]) => Promise<readonly (Result | Error | Promise<Result>)[]>;
}): (item: Item) => Promise<Result> {
  const { itemsMax, maxWaitMs, lingers = false, work } = options;
  const pending: PendingItem<Item, Result>[] = [];
  let running: readonly PendingItem<Item, Result>[] | undefined;
  // A timer wakes the process even if it was cleared.
  let deadline: NodeJS.Timeout | undefined;

  function startNext(): void {
    if (running !== undefined || pending.length === 0) return;
    const items = pending.splice(0, itemsMax);
    running = items;
    void run(items).finally(() => {
      const waitMs = lingers && pending.length < itemsMax ? lingerMs(items.length) : 0;
      if (waitMs > 0) setTimeout(() => endWait(items), waitMs);
      else endWait(items);
    });
    if (pending.length > 0) startWait(items);
  }

  function startWait(batch: typeof running): void {
    deadline = setTimeout(() => endWait(batch), maxWaitMs);
  }

  /** Does nothing if the pending items wait for a later batch. */
  function endWait(batch: typeof running): void {
    if (running !== batch) return;
    clearTimeout(deadline);
    running = undefined;
    startNext();
  }

  async function run(items: readonly PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await work(items.map(({ item }) => item));
      for (const [index, { resolve, reject }] of items.entries()) {
        const result = results[index] as (typeof results)[number];
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of items) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
      if (pending.length > 1) return;
      if (running === undefined) setImmediate(startNext);
      else startWait(running);
    });
}

/** Returns a function that calls `read`; calls during a read share its result. */
export function sharedRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** As `sharedRead`, but a result is shared for `ms`, unless it is a failure. */
export function freshFor<Result>(ms: number, read: () => Promise<Result>): () => Promise<Result> {
  let latest: { readonly until: number; readonly result: Promise<Result> } | undefined;
  return () => {
    if (latest !== undefined && performance.now() <= latest.until) return latest.result;
    const reading = { until: performance.now() + ms, result: read() };
    reading.result.catch(() => {
      if (latest === reading) latest = undefined;
    });
    latest = reading;
    return reading.result;
  };
}
