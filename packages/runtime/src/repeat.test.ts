import { idleWait, repeat, repeatOnDemand, repeatOrWarn, togetherWithOthers } from "./repeat.ts";
import { sleep } from "./waits.ts";

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

function looking(limits: Parameters<typeof idleWait>[0]) {
  let now = 0;
  const waitAfter = idleWait(limits, () => now);
  return (time: number, foundWork = false) => {
    now = time;
    return waitAfter(foundWork);
  };
}

test("the wait grows with the time in which no work was found, and work makes it short again", () => {
  const lookAt = looking({});
  expect([0, 2_000, 4_000, 12_000, 20_000, 3_600_000].map((time) => lookAt(time))).toEqual([
    1_000, 1_000, 1_000, 3_000, 5_000, 5_000,
  ]);
  expect(lookAt(3_600_000, true)).toBe(1_000);
  expect(lookAt(3_608_000)).toBe(2_000);
});

test("the limits are options", () => {
  const lookAt = looking({ minMs: 5, maxMs: 50 });
  expect([0, 40, 10_000].map((time) => lookAt(time))).toEqual([5, 10, 50]);
});

test("repeatOrWarn warns of a run that fails, and runs again", async () => {
  const warnings: unknown[][] = [];
  const recovered = Promise.withResolvers<void>();
  const error = new Error("no database");
  const results = [Promise.reject(error), Promise.resolve(60_000)];
  const logger = { warn: (...warning: unknown[]) => void warnings.push(warning) };
  const repetition = repeatOrWarn(logger as never, "failed to count", 0, async () => {
    if (results.length === 1) recovered.resolve();
    return results.shift() ?? 60_000;
  });
  await recovered.promise;
  expect(warnings).toEqual([[{ err: error }, "failed to count"]]);
  await repetition.stop();
});

test("repeatOnDemand takes all work that arrives until its next run, and rests without work", async () => {
  const waiting: string[] = [];
  const taken: string[][] = [];
  const repetition = repeatOnDemand({ warn: () => undefined } as never, "failed", 10, {
    hasWork: () => waiting.length > 0,
    run: async () => {
      taken.push(waiting.splice(0));
      return 0;
    },
  });
  const add = (work: string) => {
    waiting.push(work);
    repetition.begin();
  };
  await sleep(50);
  for (const [first, second] of [
    ["a", "b"],
    ["c", "d"],
  ] as const) {
    add(first);
    await sleep(0);
    add(second);
    while (waiting.length > 0) await sleep(1);
    await sleep(50);
  }
  expect(taken).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  await repetition.stop();
});

test.each([
  ["less than 5 s stays", 4_999, 1_234, 4_999],
  ["5 s ends with others", 5_000, 1_234, 3_766],
  ["a minute ends with others", 60_000, 1_234, 58_766],
  ["5 s after a timer that fired early ends with the next ones", 5_000, 9_999, 5_001],
])("a wait of %s", (_, ms, now, expected) => {
  expect(togetherWithOthers(ms, now)).toBe(expected);
});
