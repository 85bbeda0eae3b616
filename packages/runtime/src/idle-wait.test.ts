import { expect, test } from "@jest/globals";
import { idleWait } from "./idle-wait.ts";

test("the wait grows with the time in which no work was found, and work makes it short again", () => {
  let now = 0;
  const waitAfter = idleWait({}, () => now);
  const lookAt = (time: number, foundWork = false) => {
    now = time;
    return waitAfter(foundWork);
  };
  expect([0, 2_000, 4_000, 12_000, 20_000, 3_600_000].map((time) => lookAt(time))).toEqual([
    1_000, 1_000, 1_000, 3_000, 5_000, 5_000,
  ]);
  expect(lookAt(3_600_000, true)).toBe(1_000);
  expect(lookAt(3_608_000)).toBe(2_000);
});

test("the limits are options", () => {
  let now = 0;
  const waitAfter = idleWait({ minMs: 5, maxMs: 50 }, () => now);
  const waits = [0, 40, 10_000].map((time) => {
    now = time;
    return waitAfter(false);
  });
  expect(waits).toEqual([5, 10, 50]);
});
