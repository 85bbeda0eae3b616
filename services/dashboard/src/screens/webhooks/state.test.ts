import { expect, test } from "@jest/globals";
import { limitsText, retriedText, stateOf } from "./state.ts";

const HEALTH = {
  status: "healthy",
  consecutiveFailures: 0,
  lastSuccessAt: "2026-11-23T10:00:00.000Z",
  lastFailureAt: null,
  lastError: null,
  downSince: null,
  heldUntil: null,
  waiting: 0,
} as const;

test.each([
  ["healthy after a success", true, {}, "Healthy", ""],
  ["only active before the first attempt", true, { lastSuccessAt: null }, "Active", ""],
  [
    "healthy with a failure",
    true,
    { consecutiveFailures: 1, lastError: "http_status 500" },
    "Healthy",
    "The latest attempt failed: the receiver responds with 500.",
  ],
  [
    "failing after several",
    true,
    { status: "failing", consecutiveFailures: 6, lastError: "timeout" },
    "Failing",
    "6 attempts failed in a row: the receiver does not respond in time.",
  ],
  [
    "down after an hour of failures",
    true,
    { status: "down", consecutiveFailures: 12, lastError: "timeout" },
    "Down",
    "12 attempts failed in a row: the receiver does not respond in time.",
  ],
  [
    "paused, whatever its health",
    false,
    { status: "failing", consecutiveFailures: 9 },
    "Paused",
    "9 attempts failed in a row.",
  ],
] as const)("a subscription is %s", (_, active, health, name, fault) => {
  expect(stateOf({ active, health: { ...HEALTH, ...health } })).toMatchObject({ name, fault });
});

test.each([
  [null, null, "None"],
  [1, null, "At most 1 attempt a second"],
  [null, 2, "At most 2 attempts at a time"],
  [10, 2, "At most 10 attempts a second, 2 at a time"],
])("the limits %p and %p are %s", (maxPerSecond, maxInFlight, text) => {
  expect(limitsText({ maxPerSecond, maxInFlight })).toBe(text);
});

test.each([
  [0, "Nothing waits for a retry."],
  [1, "1 delivery is due now."],
  [3, "3 deliveries are due now."],
])("retrying %d says so", (waiting, text) => {
  expect(retriedText(waiting)).toBe(text);
});
