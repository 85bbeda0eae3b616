import { describe, expect, test } from "@jest/globals";
import { growingBuffer } from "./read-bytes.ts";

describe("a growing buffer", () => {
  test("contains all chunks in order, whatever their sizes", () => {
    for (let run = 0; run < 200; run += 1) {
      const chunks = Array.from({ length: run % 40 }, (_, index) =>
        Buffer.alloc(Math.floor(Math.random() * 3_000) * (index % 3), index + 1),
      );
      const buffer = growingBuffer();
      for (const chunk of chunks) buffer.add(chunk);
      expect(buffer.bytes().equals(Buffer.concat(chunks))).toBe(true);
      expect(buffer.length).toBe(buffer.bytes().length);
    }
  });

  test("uses at most twice the memory of its bytes", () => {
    const buffer = growingBuffer();
    for (let bytes = 0; bytes < 100_000; bytes += 1) buffer.add(Buffer.from([bytes % 256]));
    expect(buffer.bytes().buffer.byteLength).toBeLessThanOrEqual(2 * 100_000);
  });

  test("never writes into a chunk that it received", () => {
    const slab = Buffer.from("abcdef");
    const buffer = growingBuffer();
    buffer.add(slab.subarray(0, 3));
    buffer.add(Buffer.from("xyz"));
    expect([buffer.bytes().toString(), slab.toString()]).toEqual(["abcxyz", "abcdef"]);
  });
});
