import { limitBytes } from "./receive-events.ts";

function started(bytesMax: number) {
  const limit = limitBytes(bytesMax);
  const running: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const add = (name: string, bytes: number) =>
    limit(
      bytes,
      () =>
        new Promise<string>((resolve, reject) => {
          running.push(name);
          ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)));
        }),
    );
  const end = async (name: string, failure?: Error) => {
    ends.get(name)?.(failure);
    for (let tick = 0; tick < 5; tick += 1) await new Promise(process.nextTick);
  };
  return { add, running, end };
}

const ticks = () => new Promise((resolve) => setImmediate(resolve));

test("handles as much as fits, in order, and a small message does not overtake", async () => {
  const { add, running, end } = started(10);
  const all = [add("a", 4), add("b", 6), add("c", 5), add("d", 1)];
  await ticks();
  expect(running).toEqual(["a", "b"]);
  await end("a");
  expect(running).toEqual(["a", "b"]);
  await end("b");
  expect(running).toEqual(["a", "b", "c", "d"]);
  await end("c");
  await end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("handles a message above the bound by itself, and continues after one that fails", async () => {
  const { add, running, end } = started(10);
  const large = add("large", 50);
  const next = add("next", 1);
  await ticks();
  expect(running).toEqual(["large"]);
  await Promise.all([expect(large).rejects.toThrow("failed"), end("large", new Error("failed"))]);
  expect(running).toEqual(["large", "next"]);
  await end("next");
  expect(await next).toBe("next");
});
