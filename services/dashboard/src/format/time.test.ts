import { followShop, shop } from "./shop.ts";
import {
  absoluteTime,
  countdown,
  dayOf,
  dayText,
  duration,
  exactTime,
  fieldOf,
  instantOf,
  periodsUntil,
  relativeTime,
  startOfDay,
  zoneText,
} from "./time.ts";

const NOW = Date.parse("2026-11-23T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
const DAY = 86_400;

describe("a time", () => {
  test.each([
    [0, "just now"],
    [-59, "just now"],
    [2, "just now"],
    [20, "in less than a minute"],
    [-60, "1 minute ago"],
    [3_600, "in 1 hour"],
    [-26 * 3_600, "yesterday"],
    [90 * DAY - 2, "in 90 days"],
    [-120 * DAY, "4 months ago"],
    [365 * DAY, "next year"],
  ])("%s s from now is read as “%s”", (seconds, text) => {
    expect(relativeTime(at(seconds), NOW)).toBe(text);
  });

  test("is exact with date and time", () => {
    expect(absoluteTime(at(0), "Europe/Berlin")).toBe("23 Nov 2026, 13:00");
    expect(exactTime("2026-11-23T12:00:01.000Z")).toMatch(/^2\d Nov 2026, \d\d:\d\d:01$/);
  });

  test("of a day is its date, in any zone", () => {
    expect(dayText("2026-11-24")).toBe("24 Nov 2026");
  });

  test.each([
    [42_000, "0:42"],
    [245_000, "4:05"],
    [3_729_000, "1:02:09"],
    [-5_000, "0:00"],
  ])("counts down from %s ms as %s", (left, text) => {
    expect(countdown(NOW + left, NOW)).toBe(text);
  });
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [10_049, "10.0 s"],
])("a duration of %d", (ms, text) => expect(duration(ms)).toBe(text));

test.each([
  ["2026-11-23T13:05:00.000Z", "2026-11-23T13:05:00.000Z"],
  ["2026-11-23T14:05:00+01:00", "2026-11-23T13:05:00.000Z"],
  ["2026-11-23", "2026-11-23T00:00:00.000Z"],
  ["yesterday", undefined],
  ["5", undefined],
  ["2026-13-45T00:00", undefined],
  ["", undefined],
])("“%s” is the time %s", (text, instant) => {
  expect(instantOf(text)).toBe(instant);
});

const AFTERNOON = new Date(2026, 10, 3, 15, 30);

const inZone = (timeZone: string, run: () => void) => {
  const before = shop();
  followShop({ ...before, timeZone });
  try {
    run();
  } finally {
    followShop(before);
  }
};

test("periods begin at midnight and include today", () => {
  expect(periodsUntil(AFTERNOON, "date")).toEqual([
    { text: "Today", from: "2026-11-03" },
    { text: "7 days", from: "2026-10-28" },
    { text: "30 days", from: "2026-10-05" },
  ]);
  expect(periodsUntil(AFTERNOON, "datetime-local")[0]).toEqual({ text: "Today", from: "2026-11-03T00:00" });
});

test.each([
  ["Europe/Berlin", "Times are in Europe/Berlin, UTC+1."],
  ["Asia/Kolkata", "Times are in Asia/Kolkata, UTC+5:30."],
  ["UTC", "Times are in UTC."],
])("the zone %s is said with its offset", (zone, text) => {
  inZone(zone, () => expect(zoneText(AFTERNOON)).toBe(text));
});

test.each([
  ["Europe/Berlin", "2026-03-28", "2026-03-27T23:00:00.000Z"],
  // The first midnight after the clocks have changed.
  ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000Z"],
  ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00.000Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ["Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00.000Z"],
])("in %s the day %s begins at %s", (zone, day, instant) => {
  inZone(zone, () => {
    expect(startOfDay(day)).toBe(instant);
    expect(fieldOf(instant)).toBe(`${day}T00:00`);
    expect(instantOf(`${day}T00:00`)).toBe(instant);
    expect(dayOf(new Date(startOfDay(day, 40)))).not.toBe(day);
  });
});

test("a time that the clocks skip is read as an hour beside it, a repeated one as either of the two", () => {
  inZone("Europe/Berlin", () => {
    expect(instantOf("2026-03-29T02:30")).toMatch(/^2026-03-29T0[01]:30/);
    expect(fieldOf(instantOf("2026-10-25T02:30") ?? "")).toBe("2026-10-25T02:30");
  });
});
