import { describe, expect, test } from "@jest/globals";
import { absoluteTime, countdown, dayText, exactTime, relativeTime } from "./time.ts";

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
    expect(exactTime(at(1), "Europe/Berlin")).toBe("23 Nov 2026, 13:00:01");
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
