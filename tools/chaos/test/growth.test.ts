// The judgement of `npm run soak`: what grows without bound, and what only warms up or goes up and down.
import { expect, test } from "@jest/globals";
import { judge } from "../src/growth.ts";

const MINUTES = Array.from({ length: 40 }, (_, index) => index / 2);

const judged = (name: string, valueAt: (minutes: number) => number) =>
  judge(MINUTES.map((minutes) => ({ minutes, values: { [name]: valueAt(minutes) } })))[0];

test("a process that leaks grows, by as much a minute as it leaks", () => {
  const series = judged("MiB gateway-1", (minutes) => 100 + 5 * minutes);
  expect(series).toMatchObject({ grows: true });
  expect(series?.perMinute).toBeCloseTo(5);
});

test("a process that warms up in the first quarter and then stays does not grow", () => {
  const series = judged("MiB gateway-1", (minutes) => (minutes < 5 ? 60 + 20 * minutes : 160));
  expect(series).toMatchObject({ secondQuarter: 160, lastQuarter: 160, perMinute: 0, grows: false });
});

test("what goes up and down does not grow, whatever its peaks", () => {
  expect(judged("messages webhooks.events", (minutes) => (minutes * 2) % 7)).toMatchObject({ grows: false });
});

test("a queue that is never drained grows, and so does a table, a pool, or the list of open handles", () => {
  for (const name of ["messages q", "rows content.outbox", "connections orders", "handles webhooks-2"]) {
    expect(judged(name, (minutes) => 50 * minutes)).toMatchObject({ name, grows: true });
  }
});

test("a little more of little is no growth", () => {
  expect(judged("connections gateway", (minutes) => (minutes < 12 ? 3 : 6))).toMatchObject({ grows: false });
});

test("what could not be measured throughout is not judged", () => {
  const samples = MINUTES.map((minutes) => ({
    minutes,
    values: (minutes > 15 ? { "MiB x": 1 } : {}) as Record<string, number>,
  }));
  expect(judge(samples)).toEqual([]);
});
