import { expect, test } from "@jest/globals";
import { periodsUntil, zoneText } from "./periods.ts";

const NOW = new Date(2026, 10, 3, 15, 30);

test("periods begin at midnight and include today", () => {
  expect(periodsUntil(NOW, "date")).toEqual([
    { text: "Today", from: "2026-11-03" },
    { text: "7 days", from: "2026-10-28" },
    { text: "30 days", from: "2026-10-05" },
  ]);
  expect(periodsUntil(NOW, "datetime-local")[0]).toEqual({ text: "Today", from: "2026-11-03T00:00" });
});

test.each([
  ["Europe/Berlin", "Times are in Europe/Berlin, UTC+1."],
  ["Asia/Kolkata", "Times are in Asia/Kolkata, UTC+5:30."],
  ["UTC", "Times are in UTC."],
])("the zone %s is said with its offset", (zone, text) => {
  expect(zoneText(NOW, zone)).toBe(text);
});
