// Collects chunks of any size in one buffer, which is at most twice as large as their total size. A list of two million one-byte
// chunks would take two hundred times as much memory.

// The smallest size that a buffer grows to. Smaller steps would cost more time than they save memory.
const STEP_BYTES_MIN = 1_024;

/** A buffer that grows with each chunk. */
export interface GrowingBuffer {
  readonly length: number;
  add(chunk: Buffer): void;
  /** Returns all bytes received so far. Later chunks do not change the returned buffer. */
  bytes(): Buffer;
}

/** Returns an empty buffer. Memory grows with the bytes that arrive, whatever length was announced. */
export function growingBuffer(): GrowingBuffer {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (chunk) => {
      const needed = length + chunk.length;
      // Most bodies are one chunk, which is kept without a copy. The buffer is then full, so later chunks never overwrite it.
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
