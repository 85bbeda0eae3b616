import { expect, test } from "@jest/globals";
import { exampleBody, previewText, testText } from "./texts.ts";

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
