import { describe, expect, test } from "@jest/globals";
import { BODY_PACE, isTooSlow } from "./read-bytes.ts";

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
