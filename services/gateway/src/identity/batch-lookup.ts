// Lookups that share queries (docs/decisions/0008). Lookups that arrive while a query runs go together in the next one.
// Nothing is cached: each result comes from a query that began after its lookup.
import { batch } from "@tradepost/runtime";

const KEYS_MAX = 200;
// A query takes less than 1 ms. If it takes longer than this, the next query does not wait for it.
const MAX_WAIT_MS = 5;

/**
 * Returns the lookup of one key, which resolves with null if there is no row. `find` queries many keys and resolves with the
 * rows by key.
 */
export function batchLookup<Row>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
): (key: string) => Promise<Row | null> {
  return batch<string, Row | null>({
    itemsMax: KEYS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (keys) => {
      const rows = await find([...new Set(keys)]);
      return keys.map((key) => rows.get(key) ?? null);
    },
  });
}
