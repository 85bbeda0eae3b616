// Collects chunks of any size in one buffer of at most twice their total size. A list of two million one-byte chunks would
// take two hundred times as much memory.

// The smallest buffer to grow to: smaller steps cost more time than they save memory.
const STEP_BYTES_MIN = 1_024;

/** Bytes that grow by chunks. */
export interface GrowingBuffer {
  readonly length: number;
  add(chunk: Buffer): void;
  /** All bytes so far. Later chunks do not change the returned buffer. */
  bytes(): Buffer;
}

/** Returns an empty buffer. Memory grows with the bytes that arrive, never with an announced length. */
export function growingBuffer(): GrowingBuffer {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (chunk) => {
      const needed = length + chunk.length;
      // Most bodies are one chunk, which is kept without a copy. It is full, so later chunks never overwrite it.
      if (length === 0) buffer = chunk;
      else {
        if (needed > buffer.length)
          buffer = enlarged(buffer, length, Math.max(needed, buffer.length * 2, STEP_BYTES_MIN));
        chunk.copy(buffer, length);
      }
      length = needed;
    },
    bytes: () => buffer.subarray(0, length),
  };
}

function enlarged(buffer: Buffer, length: number, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes);
  buffer.copy(larger, 0, 0, length);
  return larger;
}
