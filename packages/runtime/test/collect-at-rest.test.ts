// Each test runs a program in a process of its own, whose garbage and work it decides.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const FILE = JSON.stringify(new URL("../src/run-service.ts", import.meta.url).href);

/**
 * Runs a program that may call `collectAtRest`, `load()`, `collections` and `sleep`. Resolves with what it prints. A load is kept
 * until the collection, because V8 may return garbage by itself, and then there is nothing to collect.
 */
async function run(source: string, flags: readonly string[] = ["--expose-gc"]): Promise<string> {
  const program = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { getHeapStatistics } from "node:v8";
    import { collectAtRest } from ${FILE};
    const { gc } = globalThis;
    let objects;
    const load = () => void (objects = Array.from({ length: 1e6 }, (_, index) => ({ index })));
    let collections = 0;
    if (gc) globalThis.gc = (options) => {
      const bytes = getHeapStatistics().total_heap_size;
      objects = undefined;
      gc(options);
      if (getHeapStatistics().total_heap_size < bytes - 20_000_000) collections += 1;
      else console.log("a collection returned nothing");
    };
    ${source}
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    ...["--input-type=module", "--eval", program],
  ]);
  return stdout.trim();
}

test("a process that comes to rest returns what its load left, once", async () => {
  const output = await run(`
    load();
    collectAtRest(200);
    while (collections === 0) await sleep(200);
    await sleep(2_000);
    console.log(collections);`);
  expect(output).toBe("1");
});

test("a second load is returned too", async () => {
  const output = await run(`
    collectAtRest(200);
    for (const expected of [1, 2]) {
      load();
      while (collections < expected) await sleep(200);
    }
    console.log(collections);`);
  expect(output).toBe("2");
});

test("a busy process is left alone", async () => {
  const output = await run(`
    load();
    collectAtRest(200);
    for (let turn = 0; turn < 40; turn += 1) {
      for (const until = performance.now() + 25; performance.now() < until; );
      await sleep(25);
    }
    console.log(collections);`);
  expect(output).toBe("0");
});

test("without --expose-gc, nothing happens", async () => {
  expect(await run("collectAtRest(50); await sleep(500); console.log(collections);", [])).toBe("0");
});
