import { describe, expect, test } from "@jest/globals";
import { mapConcurrently } from "./import-orders.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("mapConcurrently", () => {
  test("returns the results in the items' order and never has more than 3 in progress", async () => {
    let inProgress = 0;
    let most = 0;
    const started: number[] = [];
    const results = await mapConcurrently([5, 1, 4, 2, 3, 0], 3, async (turns, index) => {
      started.push(index);
      inProgress += 1;
      most = Math.max(most, inProgress);
      for (let count = 0; count < turns; count += 1) await turn();
      inProgress -= 1;
      return `${index}:${turns}`;
    });
    expect(results).toEqual(["0:5", "1:1", "2:4", "3:2", "4:3", "5:0"]);
    expect(started).toEqual([0, 1, 2, 3, 4, 5]);
    expect(most).toBe(3);
  });

  test("starts no more items after a failure", async () => {
    let startedCount = 0;
    const mapping = mapConcurrently(Array(50).fill(0), 2, async (_item, index) => {
      startedCount += 1;
      await turn();
      if (index === 3) throw new Error("broken");
    });
    await expect(mapping).rejects.toThrow("broken");
    const countThen = startedCount;
    await turn();
    await turn();
    expect(startedCount).toBe(countThen);
    expect(startedCount).toBeLessThan(8);
  });

  test("returns an empty list for an empty list", async () => {
    expect(await mapConcurrently([], 4, async () => 1)).toEqual([]);
  });
});
