import { exampleBody, limitsText, previewText, retriedText, stateOf, testText } from "./texts.ts";

test("the body has the fields of a delivery, in its order", () => {
  const body = exampleBody("redirect.added", { redirect: { from: "/a" } }, "t-1");
  expect(Object.keys(JSON.parse(body))).toEqual(["id", "type", "tenant_id", "data", "delivered_at"]);
  expect(JSON.parse(body)).toMatchObject({ tenant_id: "t-1", data: { redirect: { from: "/a" } } });
});

test.each([
  [1_000, 12, "12 of the latest 1,000 events match"],
  [7, 1, "1 of the latest 7 events matches"],
  [7, 0, "0 of the latest 7 events match"],
  [1, 1, "The latest event matches"],
  [1, 0, "The latest event does not match"],
  [0, 0, "Nothing has happened yet that it could be tried on"],
])("of %d events, %d match", (examined, matched, text) => {
  expect(previewText({ examined, matched })).toBe(text);
});

const ATTEMPT = {
  round: 1,
  attempt: 1,
  at: "2026-11-23T10:00:00.000Z",
  ...{ address: null, isReusedConnection: false },
  phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
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
] as const)("a subscription is %s", (_, active, health, text, fault) => {
  expect(stateOf({ active, health: { ...HEALTH, ...health } })).toMatchObject({ text, fault });
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
