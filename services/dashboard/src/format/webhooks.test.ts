import { DELIVERY_STATUSES, type DeliveryStatus, isOpen, lastErrorText, outcomeText } from "./webhooks.ts";

describe("the outcome of an attempt in words", () => {
  test.each([
    ["delivered", 204, "the receiver accepts it with 204"],
    ["http_status", 500, "the receiver responds with 500"],
    ["http_status", 308, "the receiver responds with 308, and redirects are not followed"],
    ["http_status", null, "the receiver responds with an error"],
    ["timeout", null, "the receiver does not respond in time"],
    ["response_invalid", 200, "the response is not valid HTTP"],
  ] as const)("%s %s", (outcome, statusCode, text) => expect(outcomeText(outcome, statusCode)).toBe(text));

  test.each([
    ["http_status 500", "the receiver responds with 500"],
    ["timeout", "the receiver does not respond in time"],
    ["toString", "toString"],
    ["something new", "something new"],
  ])("the last error %s", (lastError, text) => expect(lastErrorText(lastError)).toBe(text));
});

test("a delivery is open until nothing happens to it any more", () => {
  const statuses = Object.keys(DELIVERY_STATUSES) as DeliveryStatus[];
  expect(statuses.filter(isOpen)).toEqual(["pending", "retrying", "paused"]);
});
