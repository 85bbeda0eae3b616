import { describe, expect, test } from "@jest/globals";
import { bucketStarts, type Unit } from "./time-buckets.ts";

const starts = (from: string, to: string, by: Unit, timeZone: string, countMax = 400) =>
  bucketStarts({ from: new Date(from), to: new Date(to) }, by, timeZone, countMax)?.map((start) =>
    start.toISOString(),
  );

describe("the beginnings of buckets", () => {
  test.each<[string, string, string, Unit, string, string[]]>([
    [
      "days in UTC",
      "2026-02-27T00:00:00Z",
      "2026-03-02T00:00:00Z",
      "day",
      "UTC",
      ["2026-02-27", "2026-02-28", "2026-03-01"],
    ],
    [
      "a day that has begun, and one of which a moment counts",
      "2026-02-27T15:00:00Z",
      "2026-02-28T00:00:00.001Z",
      "day",
      "UTC",
      ["2026-02-27", "2026-02-28"],
    ],
    [
      "weeks, from Monday",
      "2026-11-25T00:00:00Z",
      "2026-12-01T00:00:00Z",
      "week",
      "UTC",
      ["2026-11-23", "2026-11-30"],
    ],
    ["months", "2026-12-31T00:00:00Z", "2027-02-01T00:00:00Z", "month", "UTC", ["2026-12-01", "2027-01-01"]],
  ])("%s", (_, from, to, by, zone, dates) => {
    expect(starts(from, to, by, zone)).toEqual(dates.map((date) => `${date}T00:00:00.000Z`));
  });

  test("follow summer time, so that a day has 23 or 25 hours", () => {
    expect(starts("2026-03-28T23:00:00Z", "2026-03-30T22:00:00Z", "day", "Europe/Berlin")).toEqual([
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T22:00:00.000Z",
    ]);
    expect(starts("2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", "day", "Europe/Berlin")).toEqual([
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
  });

  test("are after the gap where a day has no midnight, and the first midnight where it has two", () => {
    expect(starts("2026-04-24T00:00:00Z", "2026-04-24T12:00:00Z", "day", "Africa/Cairo")).toEqual([
      "2026-04-23T22:00:00.000Z",
    ]);
    expect(starts("2024-11-03T05:30:00Z", "2024-11-03T12:00:00Z", "day", "America/Havana")).toEqual([
      "2024-11-03T04:00:00.000Z",
    ]);
  });

  test("may be at quarters of an hour", () => {
    expect(starts("2026-01-01T00:00:00Z", "2026-01-01T01:00:00Z", "day", "Asia/Kathmandu")).toEqual([
      "2025-12-31T18:15:00.000Z",
    ]);
    expect(starts("2026-07-01T00:00:00Z", "2026-07-01T01:00:00Z", "day", "Pacific/Chatham")).toEqual([
      "2026-06-30T11:15:00.000Z",
    ]);
  });

  test("are null if there are too many", () => {
    expect(starts("2026-01-01T00:00:00Z", "2026-01-11T00:00:00Z", "day", "UTC", 10)).toHaveLength(10);
    expect(starts("2026-01-01T00:00:00Z", "2026-01-11T00:00:00.001Z", "day", "UTC", 10)).toBeUndefined();
    expect(starts("0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "day", "Asia/Tokyo")).toBeUndefined();
  });
});
