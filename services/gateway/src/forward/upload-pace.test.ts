import { describe, expect, test } from "@jest/globals";
import { isTooSlow, UPLOAD_PACE } from "./upload-pace.ts";

const KIB = 1024;

describe("whether an upload is too slow", () => {
  test.each([
    ["a byte every 10 s, after 29 s", { bytes: 3, waitedMs: 29_000, silentMs: 9_000 }, false],
    ["a byte every 10 s, after 30 s", { bytes: 3, waitedMs: 30_000, silentMs: 0 }, true],
    ["16 KiB/s", { bytes: 600 * 16 * KIB, waitedMs: 600_000, silentMs: 500 }, false],
    ["a little less than 16 KiB/s", { bytes: 599 * 16 * KIB, waitedMs: 600_000, silentMs: 500 }, true],
    [
      "25 MiB at once, then nothing for 29 s",
      { bytes: 25 * KIB * KIB, waitedMs: 29_000, silentMs: 29_000 },
      false,
    ],
    [
      "25 MiB at once, then nothing for 30 s",
      { bytes: 25 * KIB * KIB, waitedMs: 30_500, silentMs: 30_000 },
      true,
    ],
  ])("for %s", (_what, progress, expected) => {
    expect(isTooSlow(UPLOAD_PACE, progress)).toBe(expected);
  });
});
