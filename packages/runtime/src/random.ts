// Random bytes out of a store that is filled from the system now and then: asking it for a few each time was a quarter of
// what a small request costs. For ids; secrets are asked of the system itself.
import { randomFillSync } from "node:crypto";

const store = Buffer.alloc(8 * 1024);
let taken = store.length;

/** In: how many, at most a few thousand. Out: bytes that nobody else gets. */
export function takeRandomBytes(count: number): Buffer {
  if (taken + count > store.length) {
    randomFillSync(store);
    taken = 0;
  }
  const bytes = Buffer.from(store.subarray(taken, taken + count));
  taken += count;
  return bytes;
}
