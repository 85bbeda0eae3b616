// The forms of Retry-After that a receiver may send (interface §17).
import { expect, test } from "@jest/globals";
import { retryAfterMs } from "./exchange.ts";

const NOW = Date.parse("2026-11-06T08:39:37Z");

test.each([
  ["120", 120],
  [" 120 ", 120],
  ["Fri, 06 Nov 2026 08:49:37 GMT", 600],
  ["Friday, 06-Nov-26 08:49:37 GMT", 600],
  ["Fri Nov  6 08:49:37 2026", 600],
])("'%s' asks to wait %i s", (header, seconds) => {
  expect(retryAfterMs(header, NOW)).toBe(seconds * 1_000);
});

test.each([
  ...[
    "0",
    "-5",
    "1.5",
    "1e3",
    "+120",
    "0x10",
    "",
    "soon",
    "soon 2099",
    "2099 or so",
    "120s",
    "5 minutes",
    "Infinity",
  ],
  ...["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 99 Nov 2099 08:49:37 GMT"],
])("'%s' asks for nothing", (header) => {
  expect(retryAfterMs(header, NOW)).toBeNull();
});

test("of several headers the longest counts, and none asks for nothing", () => {
  expect(retryAfterMs(["60", "junk", "300", "120"], NOW)).toBe(300_000);
  expect(retryAfterMs(undefined, NOW)).toBeNull();
});
