import { factsText, hasPage, wordingOf } from "./texts.ts";

const SINCE = "2026-11-25T07:05:00.000Z";

test.each([
  [
    "an endpoint that fails",
    { since: SINCE, failures: 12, lastOutcome: "http_status", lastStatusCode: 503, waiting: 40 },
    "Since 25 Nov 2026, 07:05 · 12 failures in a row · the receiver responds with 503 · 40 deliveries wait",
  ],
  [
    "an endpoint that does not respond",
    { since: SINCE, failures: 1, lastOutcome: "timeout", lastStatusCode: null, waiting: 1 },
    "Since 25 Nov 2026, 07:05 · 1 failure in a row · the receiver does not respond in time · 1 delivery waits",
  ],
  ["an endpoint that is gone", { since: SINCE }, "Since 25 Nov 2026, 07:05"],
  [
    "deliveries that failed",
    { count: 1, firstDeliveryId: "a", lastDeliveryId: "a" },
    "1 delivery failed for good",
  ],
  [
    "too many that wait",
    { waiting: 900, bound: 1_000, oldestCreatedAt: null },
    "900 deliveries wait · 1000 may wait",
  ],
  [
    "some that wait too long",
    { waiting: 3, bound: 1_000, oldestCreatedAt: SINCE },
    "3 deliveries wait · the oldest since 25 Nov 2026, 07:05",
  ],
  ["a secret that ends", { endsAt: SINCE }, "It ends on 25 Nov 2026, 07:05"],
  ["a quota", { quota: "mediaBytes", used: 8_500, max: 10_000 }, "8.5 kB of 10.0 kB were used"],
  ["a fact of a later release", { colour: "red" }, ""],
] as const)("the facts of %s are one line", (_, facts, line) => {
  expect(factsText({ facts }, "UTC")).toBe(line);
});

test("a kind is read in words, and one of a later release is its own text", () => {
  expect(wordingOf("endpoint_down")).toEqual({ text: "Endpoint is down", tone: "danger" });
  expect(wordingOf("endpoint_slow")).toEqual({ text: "endpoint_slow", tone: "warning" });
});

test("a notice leads to a subscription that exists, and to nothing else", () => {
  const kindOf = (id: string) => (id === "gone" ? undefined : id);
  expect(["subscription", "listener", "gone", null].filter((id) => hasPage(id, kindOf))).toEqual([
    "subscription",
  ]);
});
