import {
  type Attempt,
  curlOfRequest,
  type DeliveryWithAttempts,
  isTest,
  routeText,
  summaryOf,
} from "./summary.ts";

const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  round: 1,
  attempt: 1,
  at: "2026-11-23T05:00:00.000Z",
  durationMs: 12,
  outcome: "http_status",
  statusCode: 500,
  responseBody: "no",
  address: "203.0.113.7",
  isReusedConnection: false,
  phases: { dnsMs: 3, connectMs: 12, tlsMs: null, firstByteMs: null },
  ...fields,
});

const delivery = (fields: Partial<DeliveryWithAttempts>): DeliveryWithAttempts => ({
  id: "d",
  subscriptionId: "s",
  eventId: "e",
  type: "redirect.added",
  status: "pending",
  attemptCount: 0,
  createdAt: "2026-11-23T05:00:00.000Z",
  nextAttemptAt: null,
  completedAt: null,
  outcome: null,
  attempts: [],
  request: null,
  ...fields,
});

describe("what happened to a delivery", () => {
  test.each<[Partial<DeliveryWithAttempts>, string, string]>([
    [{}, "Waits for its first attempt", "It is sent in a moment."],
    [{ attempts: [attempt()] }, "Waits to be sent once more", "It is sent in a moment."],
    [
      {
        status: "retrying",
        attemptCount: 2,
        attempts: [attempt(), attempt({ attempt: 2, outcome: "timeout" })],
      },
      "Waits for attempt 3",
      "Attempt 2 failed: the receiver does not respond in time.",
    ],
    [{ status: "retrying", attemptCount: 8 }, "Waits for attempt 9", "Attempt 8 failed."],
    [
      {
        status: "delivered",
        attemptCount: 2,
        attempts: [attempt({ outcome: "delivered", durationMs: 1234 })],
      },
      "Delivered on attempt 2",
      "The receiver responded after 1.2 s.",
    ],
    [
      { status: "failed", attemptCount: 8, attempts: [attempt()] },
      "Failed after 8 attempts: the receiver responds with 500",
      "No further attempt is planned. Once the receiver works again, an admin can redeliver it.",
    ],
    [
      { status: "paused" },
      "Paused",
      "Its subscription is paused. It is kept, and is sent once the subscription is resumed.",
    ],
    [
      { status: "cancelled" },
      "Cancelled",
      "Its subscription was deleted before it was delivered. Nothing more is sent.",
    ],
    [
      { status: "cancelled", type: "order.placed" },
      "Cancelled",
      "The operator stopped offering its event before it was delivered. Nothing more is sent.",
    ],
  ])("%j", (fields, title, text) => {
    expect(summaryOf(delivery(fields), { kind: "subscription" })).toEqual({ title, text });
  });

  test("to a listener", () => {
    expect(summaryOf(delivery({}), { kind: "listener" }).text).toBe("Its listener has not fetched it yet.");
    expect(summaryOf(delivery({ status: "paused" }), { kind: "listener" }).text).toContain("next lease");
  });
});

test("an attempt says which address it called, and what took how long", () => {
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  expect(routeText(attempt())).toBe("To 203.0.113.7: DNS 3 ms, connection 12 ms");
  expect(routeText(attempt({ isReusedConnection: true, phases: none }))).toBe(
    "To 203.0.113.7, over an open connection",
  );
  expect(routeText(attempt({ address: null, phases: none }))).toBeUndefined();
});

test.each([
  ['{"data":{"test":true}}', true],
  ['{"data":{"test":"true"}}', false],
  ["null", false],
  ["", false],
])("%s is a test: %s", (body, result) => expect(isTest({ request: { headers: {}, body } })).toBe(result));

test("the request as curl, whatever it contains; none for a listener", () => {
  const headers = { host: "shop.example", authorization: "•••" };
  expect(curlOfRequest({ url: "https://shop.example/?a='b'", headers, body: `{"text":"it's <b>"}` })).toBe(
    [
      `curl -sS -X POST 'https://shop.example/?a='\\''b'\\'''`,
      "-H 'authorization: •••'",
      `--data-binary '{"text":"it'\\''s <b>"}'`,
    ].join(" \\\n  "),
  );
  expect(curlOfRequest({ headers: {}, body: "" })).toBeUndefined();
});
