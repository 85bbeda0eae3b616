import { randomFillSync } from "node:crypto";

const pool = Buffer.alloc(8 * 1024);
let usedBytes = pool.length;

/**
 * Returns random bytes from a pool that is filled from the system's generator, because a system call for each id took a
 * quarter of the time of a small request. For ids only: secrets use `node:crypto`. `count` is at most 8 KiB.
 */
export function pooledRandomBytes(count: number): Buffer {
  if (usedBytes + count > pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  const bytes = Buffer.from(pool.subarray(usedBytes, usedBytes + count));
  usedBytes += count;
  return bytes;
}
