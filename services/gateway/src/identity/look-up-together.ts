// Look-ups that share queries: those that arrive while one is under way go together after it. Nothing is remembered: each is
// answered by a query that began after it was asked for.
import { batch } from "@tradepost/runtime";

const KEYS_MAX = 200;
// A look-up takes less than one; after this the next does not wait for it any longer.
const MAX_WAIT_MS = 5;

/** In: the query, which resolves with rows by key. Out: the look-up of one key, null where there is no such row. */
export function lookUpTogether<Row>(
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
