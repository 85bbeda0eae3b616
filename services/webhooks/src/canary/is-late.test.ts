// The decision whether the canary is late.
import { expect, test } from "@jest/globals";
import { isLate } from "./is-late.ts";

const EVERY_MS = 30_000;
const HOUR_SECONDS = 3_600;

test("a canary is late once its last one is older than three periods, and not before", () => {
  expect(isLate({ ageSeconds: 90 }, HOUR_SECONDS, EVERY_MS)).toBe(false);
  expect(isLate({ ageSeconds: 91 }, HOUR_SECONDS, EVERY_MS)).toBe(true);
});

test("a platform that was off overnight has three periods before it is late", () => {
  expect(isLate({ ageSeconds: 10 * HOUR_SECONDS }, 90, EVERY_MS)).toBe(false);
  expect(isLate({ ageSeconds: 10 * HOUR_SECONDS }, 91, EVERY_MS)).toBe(true);
});
