// Ids: UUIDs of version 7, in the order in which this process made them.
import { v7 } from "uuid";
import { takeRandomBytes } from "./random.ts";

let millisecond = 0;
let sequence = 0;

/** Out: a new UUIDv7, greater than every one that this process made before. */
export function newId(): string {
  const random = takeRandomBytes(16);
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
