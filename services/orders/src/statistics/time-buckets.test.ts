import { bucketStarts, type Unit } from "./time-buckets.ts";

/** Returns the beginnings of the buckets between the times of an interval, without what is 0 in UTC. */
function starts(interval: string, by: Unit, timeZone: string, countMax = 400): string | undefined {
  const [from = "", to = ""] = interval.split("/").map((time) => `${time}Z`);
  return bucketStarts({ from: new Date(from), to: new Date(to) }, by, timeZone, countMax)
    ?.map((start) => start.toISOString().replace(/(T00:00)?:00\.000Z$/, ""))
    .join(" ");
}

describe("the beginnings of buckets", () => {
  test.each<[string, Unit, string, string]>([
    ["days", "day", "2026-02-27T00:00/2026-03-02T00:00", "2026-02-27 2026-02-28 2026-03-01"],
    ["moments of days", "day", "2026-02-27T15:00/2026-02-28T00:00:00.001", "2026-02-27 2026-02-28"],
    ["weeks, from Monday", "week", "2026-11-25T00:00/2026-12-01T00:00", "2026-11-23 2026-11-30"],
    ["months", "month", "2026-12-31T00:00/2027-02-01T00:00", "2026-12-01 2027-01-01"],
  ])("in UTC: %s", (_, by, interval, expected) => {
    expect(starts(interval, by, "UTC")).toBe(expected);
  });

  test.each([
    ["23 hours", "Europe/Berlin", "2026-03-28T23:00/2026-03-30T22:00", "2026-03-28T23:00 2026-03-29T22:00"],
    ["25 hours", "Europe/Berlin", "2026-10-24T22:00/2026-10-26T23:00", "2026-10-24T22:00 2026-10-25T23:00"],
    ["no midnight, but a gap", "Africa/Cairo", "2026-04-24T00:00/2026-04-24T12:00", "2026-04-23T22:00"],
    ["two midnights", "America/Havana", "2024-11-03T05:30/2024-11-03T12:00", "2024-11-03T04:00"],
    ["an offset of 5:45", "Asia/Kathmandu", "2026-01-01T00:00/2026-01-01T01:00", "2025-12-31T18:15"],
    ["an offset of 12:45", "Pacific/Chatham", "2026-07-01T00:00/2026-07-01T01:00", "2026-06-30T11:15"],
  ])("follow days that have %s", (_, zone, interval, expected) => {
    expect(starts(interval, "day", zone)).toBe(expected);
  });

  test("are undefined if there would be more than the limit", () => {
    const ten = starts("2026-01-01T00:00/2026-01-11T00:00", "day", "UTC", 10);
    expect(ten?.split(" ")).toHaveLength(10);
    expect(starts("2026-01-01T00:00/2026-01-11T00:00:00.001", "day", "UTC", 10)).toBeUndefined();
    expect(starts("0001-01-01T00:00/9999-12-31T00:00", "day", "Asia/Tokyo")).toBeUndefined();
  });
});
