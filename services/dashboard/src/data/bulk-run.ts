// One action on several resources: chooses the rows, and carries out the action, a few at a time.
import type { Failure } from "../api/failure.ts";

/** Null if the action is done. */
export type BulkResult = Failure | null;

interface BulkSteps<Item> {
  readonly send: (item: Item) => Promise<unknown>;
  readonly isStopped: () => boolean;
  readonly onResult: (item: Item, result: BulkResult) => void;
}

// More would only wait at the platform.
const AT_ONCE = 3;

/** Resolves when every item has a result, or after a stop. The failure of one item does not stop the others. */
export async function runBulk<Item>(items: readonly Item[], steps: BulkSteps<Item>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined && !steps.isStopped(); item = left.shift()) {
      const result = await steps.send(item).then(
        () => null,
        (failure: Failure) => failure,
      );
      steps.onResult(item, result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

export function partsOf<Item>(items: readonly Item[], itemsMax: number): Item[][] {
  const count = Math.ceil(items.length / itemsMax);
  return Array.from({ length: count }, (_, part) => items.slice(part * itemsMax, (part + 1) * itemsMax));
}

/** The rows from `first` to `last`, in either direction, with both. Only `last` if `first` is not in the list. */
export function rangeOf(rowIds: readonly string[], first: string | undefined, last: string): string[] {
  const [from, to] = [first === undefined ? -1 : rowIds.indexOf(first), rowIds.indexOf(last)];
  return from === -1 || to === -1 ? [last] : rowIds.slice(Math.min(from, to), Math.max(from, to) + 1);
}
