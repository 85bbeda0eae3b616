import { isLate } from "./canary.ts";

const EVERY_MS = 30_000;
const HOUR_SECONDS = 3_600;

test("is late when the last canary is older than three periods", () => {
  expect(isLate({ ageSeconds: 90 }, HOUR_SECONDS, EVERY_MS)).toBe(false);
  expect(isLate({ ageSeconds: 91 }, HOUR_SECONDS, EVERY_MS)).toBe(true);
});

test("is not late in the first three periods after a start", () => {
  expect(isLate({ ageSeconds: 10 * HOUR_SECONDS }, 90, EVERY_MS)).toBe(false);
  expect(isLate({ ageSeconds: 10 * HOUR_SECONDS }, 91, EVERY_MS)).toBe(true);
});
