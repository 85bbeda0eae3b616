import { describe, expect, test } from "@jest/globals";
import { BoundedMemoryLimiter } from "./bounded-memory-limiter.ts";

describe("the bounded memory limiter", () => {
  const limiter = (keysMax: number) =>
    new BoundedMemoryLimiter({ keyPrefix: "x", points: 2, duration: 60 }, keysMax);

  test("drops the key that was counted longest ago when it holds too many", async () => {
    const limits = limiter(3);
    for (const key of ["a", "b", "a", "c", "d", "e"]) await limits.consume(key);
    expect(limits.keyCount).toBe(3);
    expect((await limits.get("a"))?.consumedPoints).toBeUndefined();
    expect((await limits.get("e"))?.consumedPoints).toBe(1);
    expect(limits.dump().storage).toHaveLength(3);
  });

  test("deletes a key whose counts are taken back, and gives no credit to an unknown key", async () => {
    const limits = limiter(3);
    await limits.consume("a");
    await limits.reward("a");
    await limits.reward("never seen");
    expect([limits.keyCount, limits.dump().storage]).toEqual([0, []]);
    await limits.consume("never seen");
    await limits.consume("never seen");
    await expect(limits.consume("never seen")).rejects.toMatchObject({ consumedPoints: 3 });
  });
});
