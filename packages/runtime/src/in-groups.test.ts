import { expect, jest, test } from "@jest/globals";
import { inGroups } from "./in-groups.ts";

function started(limits: { itemsMax?: number; patienceMs?: number } = {}) {
  const groups: number[][] = [];
  const ends: ((results: (number | Error)[] | Promise<never>) => void)[] = [];
  const add = inGroups<number, number>({
    ...{ itemsMax: 100, patienceMs: 1_000 },
    ...limits,
    work: (group) => {
      groups.push([...group]);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const end = async (index: number, results?: (number | Error)[] | Promise<never>) => {
    ends[index]?.(results ?? (groups[index] ?? []).map((item) => item * 10));
    for (let tick = 0; tick < 5; tick += 1) await new Promise(process.nextTick);
  };
  return { groups, add, end };
}

/** The event loop has come round: what was read in this turn has been handed on. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("what comes in one turn goes at once, and what comes meanwhile goes together, in its order", async () => {
  const { groups, add, end } = started();
  const results = [1, 2].map(add);
  await turn();
  expect(groups).toEqual([[1, 2]]);
  results.push(...[3, 4, 5].map(add));
  await turn();
  expect(groups).toEqual([[1, 2]]);
  await end(0);
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  results.push(add(6));
  await end(1);
  expect(groups.slice(2)).toEqual([[6]]);
  await end(2);
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
});

test("a group holds no more than it may", async () => {
  const { groups, add, end } = started({ itemsMax: 2 });
  for (const item of [1, 2, 3, 4, 5]) void add(item);
  await turn();
  await end(0);
  await end(1);
  expect(groups).toEqual([[1, 2], [3, 4], [5]]);
});

test("one that fails fails alone; a group that fails fails for all of it, and for nobody after it", async () => {
  const { add, end } = started();
  const results = [1, 2, 3].map(add);
  await turn();
  await end(0, [10, new Error("of the second"), 30]);
  expect(await Promise.allSettled(results)).toEqual([
    { status: "fulfilled", value: 10 },
    { status: "rejected", reason: new Error("of the second") },
    { status: "fulfilled", value: 30 },
  ]);
  const failing = add(4);
  await turn();
  const after = add(5);
  await Promise.all([expect(failing).rejects.toThrow("down"), end(1, Promise.reject(new Error("down")))]);
  await end(2);
  expect(await after).toBe(50);
});

test("one that is stuck holds up what comes after it no longer than patience lasts, and only once", async () => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate"] });
  try {
    const { groups, add, end } = started({ patienceMs: 20 });
    void add(1);
    await turn();
    void add(2);
    jest.advanceTimersByTime(19);
    expect(groups).toEqual([[1]]);
    jest.advanceTimersByTime(1);
    expect(groups).toEqual([[1], [2]]);
    await end(1);
    void add(3);
    await turn();
    expect(groups).toEqual([[1], [2], [3]]);
    // What was stuck frees the way for nobody when it ends: another has it.
    void add(4);
    await end(0);
    expect(groups).toEqual([[1], [2], [3]]);
    await end(2);
    expect(groups).toEqual([[1], [2], [3], [4]]);
  } finally {
    jest.useRealTimers();
  }
});
