import { expect, test } from "@jest/globals";
import { fieldOf, instantOf } from "./local-time.ts";

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

test("a field shows the time of the browser's zone, which means the same instant", () => {
  const instant = "2026-11-23T13:05:00.000Z";
  expect(fieldOf(instant)).toMatch(/^2026-11-2\dT\d\d:\d5$/);
  expect(instantOf(fieldOf(instant))).toBe(instant);
});
