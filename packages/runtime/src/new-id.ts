import { v7 } from "uuid";
import { pooledRandomBytes } from "./pooled-random-bytes.ts";

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
