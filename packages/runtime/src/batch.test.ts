import { mock } from "node:test";
import { batch } from "./batch.ts";

function started(limits: { itemsMax?: number; maxWaitMs?: number; lingers?: boolean } = {}) {
  const batches: number[][] = [];
  const ends: ((results: (number | Error)[] | Promise<never>) => void)[] = [];
  const add = batch<number, number>({
    ...{ itemsMax: 100, maxWaitMs: 1_000 },
    ...limits,
    work: (items) => {
      batches.push([...items]);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const end = async (index: number, results?: (number | Error)[] | Promise<never>) => {
    ends[index]?.(results ?? (batches[index] ?? []).map((item) => item * 10));
    for (let tick = 0; tick < 5; tick += 1) await new Promise(process.nextTick);
  };
  return { batches, add, end };
}

afterEach(() => mock.timers.reset());

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("starts with the items of one turn; items that arrive meanwhile form the next batch, in order", async () => {
  const { batches, add, end } = started();
  const results = [1, 2].map(add);
  await turn();
  expect(batches).toEqual([[1, 2]]);
  results.push(...[3, 4, 5].map(add));
  await turn();
  expect(batches).toEqual([[1, 2]]);
  await end(0);
  expect(batches).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  results.push(add(6));
  await end(1);
  expect(batches.slice(2)).toEqual([[6]]);
  await end(2);
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
});

test("a batch has at most itemsMax items", async () => {
  const { batches, add, end } = started({ itemsMax: 2 });
  for (const item of [1, 2, 3, 4, 5]) void add(item);
  await turn();
  await end(0);
  await end(1);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

test("a failed item fails only itself; a failed batch fails all of its items and none of the next", async () => {
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

test("sets a timer only while an item waits for the batch before it", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const { add, end } = started();
  const before = timers();
  void add(1);
  await turn();
  expect(timers()).toBe(before);
  void add(2);
  void add(3);
  expect(timers()).toBe(before + 1);
  await end(0);
  expect(timers()).toBe(before);
  await end(1);
});

test("a stuck batch delays the next one by at most maxWaitMs, and only once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { batches, add, end } = started({ maxWaitMs: 20 });
  void add(1);
  await turn();
  void add(2);
  mock.timers.tick(19);
  expect(batches).toEqual([[1]]);
  mock.timers.tick(1);
  expect(batches).toEqual([[1], [2]]);
  await end(1);
  void add(3);
  await turn();
  expect(batches).toEqual([[1], [2], [3]]);
  // When the stuck batch ends, no other starts, because batch 3 is running.
  void add(4);
  await end(0);
  expect(batches).toEqual([[1], [2], [3]]);
  await end(2);
  expect(batches).toEqual([[1], [2], [3], [4]]);
});

test("with `lingers`, items wait 1 ms for each item of the batch before them except one", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { batches, add, end } = started({ lingers: true });
  for (const item of [1, 2, 3]) void add(item);
  await turn();
  await end(0);
  void add(4);
  mock.timers.tick(1);
  void add(5);
  expect(batches).toHaveLength(1);
  mock.timers.tick(1);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  await end(1);
  mock.timers.tick(1);
  // A single item does not make the next wait.
  for (const item of [6, 7]) {
    void add(item);
    await turn();
    await end(batches.length - 1);
  }
  expect(batches.slice(2)).toEqual([[6], [7]]);
});
