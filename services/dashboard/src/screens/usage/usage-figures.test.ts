import { daysOf, isNear, quotasOf, requestsOf } from "./usage-figures.ts";

const requests = [
  { day: "2026-11-25", count: 10, refused: 1 },
  { day: "2026-11-23", count: 5, refused: 0 },
];

test("the chart has every day, the oldest first", () => {
  const days = daysOf(requests, Date.parse("2026-11-25T00:00:00Z"));
  expect(days).toHaveLength(31);
  expect(days.slice(-3)).toEqual([requests[1], { day: "2026-11-24", count: 0, refused: 0 }, requests[0]]);
  expect(days[0]?.day).toBe("2026-10-26");
});

test("the requests are summed up", () => expect(requestsOf(requests)).toEqual({ total: 15, refused: 1 }));

test("a quota is near from 80 % on, and none is never near", () => {
  const usage = { orders: 0, customers: 0, entries: 0, redirects: 0, deliveriesWaiting: 0, requests };
  const near = (mediaBytes: number, max: number | null) =>
    quotasOf({ ...usage, mediaBytes, eventBytes: 0, quotas: { mediaBytes: max, eventBytes: null } }).filter(
      isNear,
    );
  expect(near(79, 100)).toEqual([]);
  expect(near(80, 100).map(({ name }) => name)).toEqual(["Media"]);
  expect(near(80, null)).toEqual([]);
});
