import { expect, test } from "@jest/globals";
import { analyzeGrowth } from "../src/growth.ts";

const MINUTES = Array.from({ length: 40 }, (_, index) => index / 2);

const seriesOf = (name: string, valueAt: (minutes: number) => number) =>
  analyzeGrowth(MINUTES.map((minutes) => ({ minutes, values: { [name]: valueAt(minutes) } })))[0];

test("reports a leak", () => {
  expect(seriesOf("MiB gateway-1", (minutes) => 100 + 5 * minutes)).toMatchObject({ grows: true });
});

test("does not report a process that grows only during the warm-up", () => {
  const series = seriesOf("MiB gateway-1", (minutes) => (minutes < 5 ? 60 + 20 * minutes : 160));
  expect(series).toMatchObject({ secondQuarter: 160, lastQuarter: 160, grows: false });
});

test("does not report values that rise and fall", () => {
  expect(seriesOf("messages webhooks.events", (minutes) => (minutes * 2) % 7)).toMatchObject({
    grows: false,
  });
});

test("reports a queue, a table, a pool or a number of handles that grows", () => {
  for (const name of ["messages q", "rows content.outbox", "connections orders", "handles webhooks-2"]) {
    expect(seriesOf(name, (minutes) => 50 * minutes)).toMatchObject({ name, grows: true });
  }
});

test("does not report a small increase of a small value", () => {
  expect(seriesOf("connections gateway", (minutes) => (minutes < 12 ? 3 : 6))).toMatchObject({
    grows: false,
  });
});

test("skips a measure that has no samples in a quarter", () => {
  const samples = MINUTES.map((minutes) => ({
    minutes,
    values: (minutes > 15 ? { "MiB x": 1 } : {}) as Record<string, number>,
  }));
  expect(analyzeGrowth(samples)).toEqual([]);
});
