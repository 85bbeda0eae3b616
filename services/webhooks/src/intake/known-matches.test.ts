import { randomUUID } from "node:crypto";
import { createKnownMatches } from "./known-matches.ts";
import type { MatchedSubscription } from "./match-subscriptions.ts";
import type { ReceivedEvent } from "./received-event.ts";

const eventOf = (tenantId: string, type = "redirect.added") =>
  ({ tenant_id: tenantId, type }) as ReceivedEvent;

const subscriptionOf = (tenantId: string, more: Partial<MatchedSubscription> = {}): MatchedSubscription => ({
  ...{
    tenantId,
    subscriptionId: randomUUID(),
    events: ["redirect.added"],
    filter: null,
    payload: "full",
    active: true,
  },
  ...{ version: 1, url: "https://shop.example/hook", origin: "https://shop.example", windowSize: 2 },
  ...{ secretSealed: Buffer.from("secret"), previousSecretSealed: null, headersSealed: null },
  ...{ isProven: false, consecutiveFailures: 0, isRestrained: false, heldForMs: null },
  ...{ isRecordedHealthy: true, hasWaiting: false, isSuccessDue: false, stamp: Buffer.from("stamp") },
  ...more,
});

test("knows the matches of several tenants in the order of their ids, and of none", () => {
  const matches = createKnownMatches();
  const [first = "", second = "", without = ""] = [randomUUID(), randomUUID(), randomUUID()].sort();
  const events = [eventOf(second), eventOf(first), eventOf(without)];
  const subscriptions = [subscriptionOf(first), subscriptionOf(second)];
  expect(matches.of(events)).toBeNull();
  matches.remember(events, subscriptions);
  expect(matches.of(events)).toEqual(subscriptions);
  expect(matches.of([eventOf(without)])).toEqual([]);
});

test("knows nothing about another type, and nothing from a batch of several types", () => {
  const matches = createKnownMatches();
  const tenantId = randomUUID();
  matches.remember([eventOf(tenantId)], [subscriptionOf(tenantId)]);
  expect(matches.of([eventOf(tenantId, "media.uploaded")])).toBeNull();
  const both = [eventOf(tenantId), eventOf(tenantId, "media.uploaded")];
  expect(matches.of(both)).toBeNull();
  matches.remember(both, []);
  expect(matches.of([eventOf(tenantId)])).toHaveLength(1);
});

test.each([{ consecutiveFailures: 1 }, { isRestrained: true }, { hasWaiting: true }])(
  "forgets a tenant with a subscription of which this holds: %j",
  (state) => {
    const matches = createKnownMatches();
    const tenantId = randomUUID();
    matches.remember([eventOf(tenantId)], [subscriptionOf(tenantId)]);
    matches.remember([eventOf(tenantId)], [subscriptionOf(tenantId), subscriptionOf(tenantId, state)]);
    expect(matches.of([eventOf(tenantId)])).toBeNull();
  },
);

test("forgets the least recently used beyond its bytes", () => {
  const matches = createKnownMatches(10_000);
  const tenants = Array.from({ length: 10 }, () => randomUUID());
  const [first = "", second = "", ...others] = tenants;
  const remember = (tenantId: string) => matches.remember([eventOf(tenantId)], [subscriptionOf(tenantId)]);
  const isKnown = (tenantId: string) => matches.of([eventOf(tenantId)]) !== null;
  remember(first);
  remember(second);
  for (const tenantId of others) {
    remember(tenantId);
    expect(isKnown(first)).toBe(true);
  }
  expect(isKnown(second)).toBe(false);
});
