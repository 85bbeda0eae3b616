import type { ItemOf } from "@tradepost/client/operations";
import { countOfDeliveries, expiringKeys, subscriptionFaults } from "./attention.ts";

const NOW = Date.parse("2026-11-23T05:00:00Z");

type Subscription = ItemOf<"listSubscriptions">;
type Status = Subscription["health"]["status"];

const subscription = (name: string, active: boolean, status: Status, lastError: string | null) =>
  ({ id: name, name, active, health: { status, consecutiveFailures: 5, lastError } }) as Subscription;

const key = (label: string, expiresAt: string | null, revokedAt: string | null = null) =>
  ({ label, expiresAt, revokedAt }) as ItemOf<"listApiKeys">;

describe("what needs attention", () => {
  test("subscriptions that fail come before those that are paused, and the rest is left out", () => {
    const faults = subscriptionFaults([
      subscription("paused", false, "failing", "timeout"),
      subscription("fine", true, "healthy", null),
      subscription("failing", true, "failing", "http_status 500"),
      subscription("silent", true, "down", null),
    ]);
    expect(faults.map(({ name, state }) => [name, state])).toEqual([
      ["failing", "Failing"],
      ["silent", "Down"],
      ["paused", "Paused"],
    ]);
    expect(faults[0]?.text).toBe("5 attempts failed in a row: the receiver responds with 500.");
    expect(faults[1]?.text).toBe("5 attempts failed in a row.");
  });

  test("keys that expire within 7 days, the next one first", () => {
    const keys = [
      key("in 6 days", "2026-11-29T05:00:00Z"),
      key("in 8 days", "2026-12-01T05:00:00Z"),
      key("never", null),
      key("expired", "2026-11-22T05:00:00Z"),
      key("revoked", "2026-11-24T05:00:00Z", "2026-11-22T05:00:00Z"),
      key("tomorrow", "2026-11-24T05:00:00Z"),
    ];
    expect(expiringKeys(keys, NOW).map(({ label }) => label)).toEqual(["tomorrow", "in 6 days"]);
  });

  test.each([
    [1, false, "1 delivery"],
    [99, false, "99 deliveries"],
    [100, true, "100 or more deliveries"],
  ])("%d deliveries, and more: %s", (count, hasMore, text) =>
    expect(countOfDeliveries(count, hasMore)).toBe(text),
  );
});
