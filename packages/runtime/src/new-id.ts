import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

let millisecond = 0;
let sequence = 0;

/** Returns a new UUID of version 7, greater than every id that this process made before. */
export function newId(): string {
  const random = pooledRandomBytes(16);
  const now = Date.now();
  if (now > millisecond) {
    millisecond = now;
    sequence = random.readInt32BE(0) & 0x7fffffff;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) millisecond += 1;
  }
  return v7({ random, msecs: millisecond, seq: sequence });
}

const pool = Buffer.alloc(8 * 1024);
let usedBytes = pool.length;

/** Returns at most 8 KiB from a pool, because a system call for each id is expensive. Secrets use `node:crypto`. */
export function pooledRandomBytes(count: number): Buffer {
  if (usedBytes + count > pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  const bytes = Buffer.from(pool.subarray(usedBytes, usedBytes + count));
  usedBytes += count;
  return bytes;
}
