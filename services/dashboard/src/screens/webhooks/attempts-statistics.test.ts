import { barsOf, figuresOf, lastDay, type Total } from "./attempts-statistics.ts";

const total = (delivered: number, failed: number, p50: number | null, p95: number | null): Total => ({
  attempts: delivered + failed,
  delivered,
  failed,
  durationP50Ms: p50,
  durationP95Ms: p95,
});

test("the period ends with the current hour", () => {
  const now = Date.parse("2026-11-25T22:41:10.000Z");
  expect(lastDay(now)).toEqual({ from: "2026-11-24T23:00:00.000Z", to: "2026-11-25T23:00:00.000Z" });
});

test("the bars have the time of each hour", () =>
  expect(barsOf([{ at: "2026-11-25T22:00:00.000Z", ...total(3, 1, 5, 9) }])).toEqual([
    { id: "2026-11-25T22:00:00.000Z", label: expect.stringMatching(/^2\d Nov, \d\d:\d\d$/), values: [3, 1] },
  ]));

test.each([
  ["without attempts", total(0, 0, null, null), ["0", "0", "–", "–"]],
  ["of one attempt", total(1, 0, 12, 12), ["1", "0", "12 ms", "12 ms"]],
  ["of several", total(999, 1, 12, 1_500), ["1,000", "1 (0.1 %)", "12 ms", "1.5 s"]],
  ["of few failures", total(9_999, 1, 1, 1), ["10,000", "1 (< 0.1 %)", "1 ms", "1 ms"]],
  ["of failures only", total(0, 2, 1, 1), ["2", "2 (100 %)", "1 ms", "1 ms"]],
] as const)("the figures %s", (_, counts, [Attempts, Failed, p50, p95]) =>
  expect(figuresOf(counts)).toEqual({ Attempts, Failed, p50, p95 }),
);
