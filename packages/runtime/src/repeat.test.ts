import { describe, expect, test } from "@jest/globals";
import { repeat } from "./repeat.ts";
import { sleep } from "./sleep.ts";

/** Counts runs; each run ends when `end` is called. */
function start(waitMs: number) {
  let runCount = 0;
  let running = Promise.withResolvers<void>();
  const repetition = repeat(async () => {
    runCount += 1;
    await running.promise;
    return waitMs;
  });
  const end = async () => {
    const current = running;
    running = Promise.withResolvers<void>();
    current.resolve();
    for (let tick = 0; tick < 10; tick += 1) await new Promise(process.nextTick);
  };
  return { repetition, end, runCount: () => runCount };
}

describe("repeat", () => {
  test("runs again after the wait", async () => {
    const { repetition, end, runCount } = start(1);
    await end();
    await sleep(20);
    expect(runCount()).toBe(2);
    await Promise.all([repetition.stop(), end()]);
  });

  test("wake ends the wait", async () => {
    const { repetition, end, runCount } = start(60_000);
    await end();
    expect(runCount()).toBe(1);
    repetition.wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect(runCount()).toBe(2);
    await Promise.all([repetition.stop(), end()]);
  });

  test("wake during a run lets the next run follow without a wait", async () => {
    const { repetition, end, runCount } = start(60_000);
    repetition.wake();
    await end();
    expect(runCount()).toBe(2);
    await Promise.all([repetition.stop(), end()]);
  });

  test("stop waits for the run that is under way and starts no other", async () => {
    const { repetition, end, runCount } = start(0);
    let isStopped = false;
    const stopping = repetition.stop().then(() => {
      isStopped = true;
    });
    repetition.wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    await end();
    await stopping;
    expect(runCount()).toBe(1);
  });
});
