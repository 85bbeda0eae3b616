import { expect, test } from "@jest/globals";
import { testText } from "./test-text.ts";

const ATTEMPT = {
  round: 1,
  attempt: 1,
  at: "2026-11-23T10:00:00.000Z",
  durationMs: 34,
  outcome: "http_status",
  statusCode: 500,
  responseBody: null,
} as const;

test.each([
  ["pending", [], "It is on its way."],
  ["paused", [], "It waits until the subscription is resumed."],
  ["cancelled", [], "The subscription was deleted, so it is not sent."],
  ["retrying", [ATTEMPT], "Attempt 1 failed: the receiver responds with 500."],
  ["failed", [ATTEMPT], "All attempts failed: the receiver responds with 500."],
  [
    "delivered",
    [{ ...ATTEMPT, outcome: "delivered", statusCode: 204 }],
    "It arrived: the receiver accepts it with 204, after 34 ms.",
  ],
] as const)("a test that is %s", (status, attempts, text) => {
  expect(testText({ status, attempts: [...attempts] })).toBe(text);
});
