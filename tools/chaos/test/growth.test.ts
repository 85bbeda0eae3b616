import { analyzeGrowth } from "../src/growth.ts";

const MINUTES = Array.from({ length: 40 }, (_, index) => index / 2);

test.each<[string, string, (minutes: number) => number, boolean]>([
  ["a leak", "MiB gateway-1", (minutes) => 100 + 5 * minutes, true],
  ["a queue that grows", "messages q", (minutes) => 50 * minutes, true],
  ["a table that grows", "rows content.outbox", (minutes) => 50 * minutes, true],
  ["a pool that grows", "connections orders", (minutes) => 50 * minutes, true],
  ["a number of handles that grows", "handles webhooks-2", (minutes) => 50 * minutes, true],
  ["values that rise and fall", "messages webhooks.events", (minutes) => (minutes * 2) % 7, false],
  ["a small increase of a small value", "connections gateway", (minutes) => (minutes < 12 ? 3 : 6), false],
])("%s is reported if it grows without bound: %s", (_what, name, valueAt, grows) => {
  const samples = MINUTES.map((minutes) => ({ minutes, values: { [name]: valueAt(minutes) } }));
  expect(analyzeGrowth(samples)).toMatchObject([{ name, grows }]);
});

test("does not report a process that grows only during the warm-up", () => {
  const valueAt = (minutes: number) => (minutes < 5 ? 60 + 20 * minutes : 160);
  const samples = MINUTES.map((minutes) => ({ minutes, values: { "MiB gateway-1": valueAt(minutes) } }));
  const series = { name: "MiB gateway-1", secondQuarter: 160, lastQuarter: 160, grows: false };
  expect(analyzeGrowth(samples)).toEqual([series]);
});

test("skips a measure that has no samples in a quarter", () => {
  const late = MINUTES.map((minutes) => ({ minutes, values: minutes > 15 ? { "MiB x": 1 } : {} }));
  expect(analyzeGrowth(late as Parameters<typeof analyzeGrowth>[0])).toEqual([]);
});
