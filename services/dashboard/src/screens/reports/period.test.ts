import { followShop, shop } from "../../format/shop.ts";
import { periodOf, reportSearch } from "./period.ts";

const before = shop();
beforeAll(() => followShop({ ...before, timeZone: "Europe/Berlin" }));
afterAll(() => followShop(before));

// A Tuesday, 13:30 in Berlin.
const NOW = new Date("2026-11-24T12:30:00Z");
const ranges = (search: object, now = NOW) => {
  const { now: range, before: earlier } = periodOf(reportSearch({ ...search }), now);
  return [range.from, range.to, earlier.from, earlier.to].map((time) => time.slice(0, 16));
};

describe("a period and the same part of the one before", () => {
  test.each([
    ["today", ["2026-11-23T23:00", "2026-11-24T23:00", "2026-11-22T23:00", "2026-11-23T12:30"]],
    ["yesterday", ["2026-11-22T23:00", "2026-11-23T23:00", "2026-11-21T23:00", "2026-11-22T23:00"]],
    ["week", ["2026-11-22T23:00", "2026-11-24T23:00", "2026-11-15T23:00", "2026-11-17T12:30"]],
    ["last-week", ["2026-11-15T23:00", "2026-11-22T23:00", "2026-11-08T23:00", "2026-11-15T23:00"]],
    ["month", ["2026-10-31T23:00", "2026-11-24T23:00", "2026-09-30T22:00", "2026-10-24T11:30"]],
    ["last-month", ["2026-09-30T22:00", "2026-10-31T23:00", "2026-08-31T22:00", "2026-09-30T22:00"]],
    ["30-days", ["2026-10-25T23:00", "2026-11-24T23:00", "2026-09-25T22:00", "2026-10-25T12:30"]],
  ])("%s", (period, expected) => expect(ranges({ period })).toEqual(expected));

  test("own days, the last included, also if it is before the first", () => {
    const days = ["2026-03-28T23:00", "2026-03-30T22:00", "2026-03-26T23:00", "2026-03-28T23:00"];
    expect(ranges({ period: "own", from: "2026-03-29", to: "2026-03-30" })).toEqual(days);
    expect(ranges({ period: "own", from: "2026-03-29", to: "2026-03-01" })[1]).toBe("2026-03-29T22:00");
  });

  test("the last day of a long month has no counterpart, so the whole month before counts", () => {
    const now = new Date("2026-03-31T10:00:00Z");
    expect(ranges({ period: "month" }, now).slice(2)).toEqual(["2026-01-31T23:00", "2026-02-28T23:00"]);
  });

  test("a long period has weeks, a longer one months", () => {
    const by = (from: string) => periodOf({ period: "own", from, to: "2026-11-24" }, NOW).by;
    expect(["2026-10-01", "2026-01-01", "2020-01-01"].map(by)).toEqual(["day", "week", "month"]);
  });
});
