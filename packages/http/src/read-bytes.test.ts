import { BODY_PACE, growingBuffer, isTooSlow } from "./read-bytes.ts";

const KIB = 1024;

describe("whether a body is too slow", () => {
  test.each([
    ["nothing, within 10 s", 0, 10_000, false],
    ["a byte every 3 s, after 11 s", 4, 11_000, true],
    ["1 KiB/s after the first 10 s", 16 * KIB, 26_000, false],
    ["a little less than 1 KiB/s", 16 * KIB - 1, 26_000, true],
    ["2 KiB/s", 26 * KIB, 13_000, false],
    ["almost 2 MiB, within 60 s", 2 * KIB * KIB - 1, 59_999, false],
    ["almost 2 MiB, after 60 s", 2 * KIB * KIB - 1, 60_000, true],
  ])("%s", (_what, bytes, elapsedMs, expected) => {
    expect(isTooSlow(BODY_PACE, bytes, elapsedMs)).toBe(expected);
  });
});

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
