import { type EventFacts, matchesOf, type SubscriptionFacts } from "./matches.ts";

const NOON = new Date("2026-08-20T12:00:00.000Z");
const EARLIER = new Date("2026-08-20T11:00:00.000Z");
const LATER = new Date("2026-08-20T13:00:00.000Z");
const event: EventFacts = {
  type: "redirect.added",
  receivedAt: NOON,
  isTest: false,
  matchedCount: 0,
  filtered: null,
};
const subscription: SubscriptionFacts = {
  ...{ id: "s", name: "Search", events: ["redirect.added"], version: 1, createdAt: EARLIER },
};
const other = { events: ["media.uploaded"] };

test.each<[string, Partial<EventFacts>, Partial<SubscriptionFacts>, string | null]>([
  ["of another type", {}, other, "type_not_subscribed"],
  ["of another type, and later", {}, { ...other, createdAt: LATER }, "type_not_subscribed"],
  ["that was created later", {}, { createdAt: LATER }, "created_later"],
  ["that was created at the same moment", {}, { createdAt: NOON }, "created_later"],
  ["whose filter it did not match", { filtered: { s: ["locale"] } }, {}, "filtered"],
  [
    "whose former filter it did not match",
    { filtered: { s: ["locale"] } },
    { ...other, version: 3 },
    "filtered",
  ],
  [
    "while another's filter kept it back",
    { filtered: { t: ["locale"] } },
    { version: 2 },
    "type_not_subscribed",
  ],
  ["that got the type later", {}, { version: 2 }, "type_not_subscribed"],
  ["whose delivery has left the log", { matchedCount: 1 }, {}, null],
  ["that is unrelated, when deliveries have left the log", { matchedCount: 1 }, other, "type_not_subscribed"],
])("an event without a delivery to a subscription %s", (_, facts, changes, reason) => {
  const matches = matchesOf({ ...event, ...facts }, [{ ...subscription, ...changes }], []);
  const [matched, filteredBy] = [reason === null, reason === "filtered" ? ["locale"] : null];
  expect(matches).toEqual([
    { subscriptionId: "s", name: "Search", matched, reason, filteredBy, deliveryId: null },
  ]);
});

test("a delivery is a match, whatever the subscription has become", () => {
  const changed = { ...subscription, ...other, version: 3 };
  const matches = matchesOf({ ...event, matchedCount: 1 }, [changed], [{ id: "d", subscriptionId: "s" }]);
  expect(matches).toMatchObject([{ matched: true, reason: null, deliveryId: "d" }]);
});

test("an example is only about the subscription that it was sent to", () => {
  const subscriptions = [subscription, { ...subscription, id: "t" }];
  const example = { ...event, isTest: true, matchedCount: 1 };
  expect(matchesOf(example, subscriptions, [{ id: "d", subscriptionId: "s" }])).toMatchObject([
    { subscriptionId: "s", deliveryId: "d" },
  ]);
});
