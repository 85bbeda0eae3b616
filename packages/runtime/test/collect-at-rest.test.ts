// Each test runs a program in a process of its own, whose garbage and work it decides.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

const FILE = JSON.stringify(new URL("../src/run-service.ts", import.meta.url).href);

/** Runs a program that may call `collectAtRest`, `collections()` and `sleep`. Resolves with what it prints. */
async function run(source: string, flags: readonly string[] = ["--expose-gc"]): Promise<string> {
  const program = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { collectAtRest } from ${FILE};
    const { gc } = globalThis;
    let count = 0;
    const collections = () => count;
    if (gc) globalThis.gc = (options) => { count += 1; gc(options); };
    ${source}
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    ...["--input-type=module", "--eval", program],
  ]);
  return stdout.trim();
}

const LOAD = `
  function load() {
    const objects = Array.from({ length: 1e6 }, (_, index) => ({ index }));
    return process.memoryUsage().rss + objects.length;
  }
  const hasReturned = (size) => process.memoryUsage().rss < size - 20_000_000;`;

test("a process that comes to rest returns what its load left, once", async () => {
  const output = await run(`${LOAD}
    const size = load();
    collectAtRest(200);
    while (!hasReturned(size)) await sleep(200);
    await sleep(2_000);
    console.log(collections());`);
  expect(output).toBe("1");
});

test("a second load is returned too", async () => {
  const output = await run(`${LOAD}
    collectAtRest(200);
    for (let turn = 0; turn < 2; turn += 1) {
      const size = load();
      while (!hasReturned(size)) await sleep(200);
      await sleep(1_000);
    }
    console.log(collections());`);
  expect(output).toBe("2");
});

test("a busy process is left alone", async () => {
  const output = await run(`${LOAD}
    load();
    collectAtRest(200);
    for (let turn = 0; turn < 40; turn += 1) {
      for (const until = performance.now() + 25; performance.now() < until; );
      await sleep(25);
    }
    console.log(collections());`);
  expect(output).toBe("0");
});

test("without --expose-gc, nothing happens", async () => {
  expect(await run("collectAtRest(50); await sleep(500); console.log(collections());", [])).toBe("0");
});
