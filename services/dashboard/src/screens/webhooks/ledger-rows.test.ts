import { latestDays, rowsOf } from "./ledger-rows.ts";

const ONE = { events: 3, matched: 2, filtered: 1, delivered: 1, failed: 0, waiting: 1, cancelled: 0 };
const day = (day: string) => ({
  day,
  subscriptionId: "s",
  closed: true,
  types: [
    { type: "media.uploaded" as const, ...ONE },
    { type: "redirect.added" as const, ...ONE, failed: 4 },
  ],
  digest: "0".repeat(64),
});

test("the latest days are those of UTC", () => {
  expect(latestDays(Date.parse("2026-03-01T23:59:59Z"), 3)).toEqual([
    "2026-03-01",
    "2026-02-28",
    "2026-02-27",
  ]);
});

test("each day has its sums, and the one that is unfolded its types", () => {
  const rows = rowsOf([day("2026-11-24"), day("2026-11-23")], "2026-11-23");
  expect(rows.map(({ id, counts }) => [id, counts.events, counts.failed])).toEqual([
    ["2026-11-24", 6, 4],
    ["2026-11-23", 6, 4],
    ["2026-11-23 media.uploaded", 3, 0],
    ["2026-11-23 redirect.added", 3, 4],
  ]);
});
