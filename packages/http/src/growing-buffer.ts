// Bytes that arrive in pieces of any size, kept in one buffer of at most twice their number: a list of two million
// one-byte pieces would take two hundred times as much.

// Below this, growing by steps costs more than the space.
const STEP_BYTES_MIN = 1_024;

export interface GrowingBuffer {
  readonly length: number;
  add(piece: Buffer): void;
  /** All of it so far; what is added later does not change it. */
  bytes(): Buffer;
}

/** Out: an empty buffer. Nothing is allocated for what is only promised. */
export function growingBuffer(): GrowingBuffer {
  let held: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (piece) => {
      const needed = length + piece.length;
      // Most bodies arrive in one piece, which is kept as it is. It is full, so nothing is ever written into it.
      if (length === 0) held = piece;
      else {
        if (needed > held.length)
          held = enlarged(held, length, Math.max(needed, held.length * 2, STEP_BYTES_MIN));
        piece.copy(held, length);
      }
      length = needed;
    },
    bytes: () => held.subarray(0, length),
  };
}

function enlarged(held: Buffer, length: number, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes);
  held.copy(larger, 0, 0, length);
  return larger;
}
