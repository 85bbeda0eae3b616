// A list is worked through in its order, a few items at a time, up to the first failure.
import { describe, expect, test } from "@jest/globals";
import { fewAtOnce } from "./few-at-once.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("few at once", () => {
  test("gives the results in the items' order, and never works on more than a few", async () => {
    let inProgress = 0;
    let most = 0;
    const started: number[] = [];
    const results = await fewAtOnce([5, 1, 4, 2, 3, 0], 3, async (turns, index) => {
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

  test("starts nothing more after a failure", async () => {
    let startedCount = 0;
    const work = fewAtOnce(Array(50).fill(0), 2, async (_item, index) => {
      startedCount += 1;
      await turn();
      if (index === 3) throw new Error("broken");
    });
    await expect(work).rejects.toThrow("broken");
    const countThen = startedCount;
    await turn();
    await turn();
    expect(startedCount).toBe(countThen);
    expect(startedCount).toBeLessThan(8);
  });

  test("of nothing is nothing", async () => {
    expect(await fewAtOnce([], 4, async () => 1)).toEqual([]);
  });
});
