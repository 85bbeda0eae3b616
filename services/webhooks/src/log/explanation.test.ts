import { type DeliveryFacts, explain } from "./explanation.ts";

const soon = new Date("2026-11-21T12:00:00.000Z");
const waiting: DeliveryFacts = {
  id: "0198a000-0000-7000-8000-000000000001",
  status: "pending",
  attemptCount: 0,
  nextAttemptAt: soon,
  completedAt: null,
  queueState: "waiting",
  isDue: true,
  isLocked: false,
  isDead: false,
  isBeingResumed: false,
  hasSubscription: true,
  isOfListener: false,
  isSuspended: false,
  leasedUntil: null,
  waitingBefore: 12,
  queuedCount: 4,
  windowSize: 4,
  consecutiveFailures: 0,
  heldUntil: null,
  downSince: null,
  maxPerSecond: null,
  maxInFlight: null,
  givenUp: null,
  last: null,
};
const failedTwice = { attemptCount: 2, last: { outcome: "http_status", statusCode: 503 } } as const;
const later = new Date("2026-11-21T12:01:00.000Z");
const over = { queueState: null, nextAttemptAt: null, isDue: false, completedAt: soon };

// biome-ignore format: a table is read by its columns.
test.each<[string, Partial<DeliveryFacts>, string, string]>([
  ["in a full window", {}, "window", "It waits for its endpoint's turn: 4 of its window of 4 are in progress or queued, 12 wait before this one. No attempt has ended."],
  ["to a dead endpoint", { consecutiveFailures: 60 }, "window", "Its endpoint has failed 60 times in a row and is probed with one delivery at a time; 12 wait before this one. No attempt has ended."],
  ["to an endpoint that is down", { consecutiveFailures: 60, downSince: soon, heldUntil: later }, "window", "Its endpoint has been down since 2026-11-21T12:00:00.000Z: one delivery at a time is tried, the next at 2026-11-21T12:01:00.000Z; 12 wait before this one. No attempt has ended."],
  ["to an endpoint that is down and tried now", { consecutiveFailures: 8, downSince: soon }, "window", "Its endpoint has been down since 2026-11-21T12:00:00.000Z: one delivery at a time is tried; 12 wait before this one. No attempt has ended."],
  ["to an endpoint that asked to wait", { heldUntil: later }, "window", "Its endpoint asked to wait until 2026-11-21T12:01:00.000Z; 12 wait before this one. No attempt has ended."],
  ["to an endpoint with limits", { maxPerSecond: 5, maxInFlight: 2 }, "window", "It waits for its endpoint's turn: 4 of its window of 4 are in progress or queued, 12 wait before this one. Its subscription allows 5 attempts a second and 2 at a time. No attempt has ended."],
  ["in the queue", { queueState: "queued" }, "queue", "It is in the queue webhooks.deliveries; its attempt follows shortly. No attempt has ended."],
  ["in progress", { queueState: "queued", isLocked: true }, "under way", "Attempt 1 is in progress. No attempt has ended."],
  ["between attempts", { ...failedTwice, status: "retrying", queueState: "delayed", isDue: false }, "retry", "It waits until the time of its next attempt. Attempt 2: http_status 503."],
  ["due after its wait", { ...failedTwice, status: "retrying", queueState: "delayed" }, "retry", "Its wait is over; its message arrives shortly, or the sweep replaces it. Attempt 2: http_status 503."],
  ["in its jitter", { ...failedTwice, status: "retrying", isDue: false }, "retry", "It waits until the time of its next attempt. Attempt 2: http_status 503."],
  ["paused", { ...over, status: "paused" }, "paused", "Its subscription is paused (active: false); it is sent when the subscription is active again. No attempt has ended."],
  ["of a suspended tenant", { ...over, status: "paused", isSuspended: true }, "paused", "The operator has suspended its tenant; it is sent once the tenant is resumed, unless its subscription is paused as well. No attempt has ended."],
  ["in progress while its tenant is suspended", { queueState: "queued", isLocked: true, isSuspended: true }, "under way", "Attempt 1 is in progress. No attempt has ended."],
  ["dead", { ...over, ...failedTwice, status: "failed", isDead: true }, "dead", "Its last attempt failed; it is a dead letter until it is redriven or purged. Attempt 2: http_status 503."],
  ["expired", { ...over, status: "failed", isDead: true, givenUp: "expired" }, "dead", "It waited for longer than WEBHOOKS_WAITING_DAYS_MAX; it is a dead letter until it is redriven or purged. No attempt has ended."],
  ["one too many and purged", { ...over, ...failedTwice, status: "failed", givenUp: "overflow" }, "failed", "More than WEBHOOKS_WAITING_MAX deliveries of its tenant waited, and it was purged from the dead letters. Attempt 2: http_status 503."],
  ["purged", { ...over, ...failedTwice, status: "failed" }, "failed", "Its last attempt failed, and it was purged from the dead letters. Attempt 2: http_status 503."],
  ["delivered", { ...over, status: "delivered", attemptCount: 3 }, "delivered", "The receiver accepted attempt 3."],
  ["cancelled", { ...over, status: "cancelled", hasSubscription: false, windowSize: null, consecutiveFailures: null }, "cancelled", "Its subscription was deleted before it was delivered. No attempt has ended."],
  ["of a type that is no longer offered", { ...over, status: "cancelled", hasSubscription: true }, "cancelled", "The operator stopped offering its event type before it was delivered. No attempt has ended."],
  ["for a listener", { isOfListener: true }, "listener", "It waits until its listener's client leases it; 12 wait before this one. No attempt has ended."],
  ["for a listener, of a type that is no longer offered", { ...over, isOfListener: true, status: "cancelled" }, "cancelled", "The operator stopped offering its event type before it was delivered. No attempt has ended."],
  ["leased", { isOfListener: true, isLocked: true, leasedUntil: soon }, "leased", "Attempt 1 is leased by its listener's client until 2026-11-21T12:00:00.000Z, and its result has not been reported. No attempt has ended."],
  ["for a listener later", { ...failedTwice, isOfListener: true, status: "retrying", isDue: false }, "retry", "It can be leased again at the time of its next attempt. Attempt 2: http_status 503."],
  ["for an expired listener", { ...over, isOfListener: true, status: "paused" }, "paused", "Its listener has expired; the next lease continues with the oldest delivery. No attempt has ended."],
])("explains a delivery that is %s", (_, facts, where, because) => {
  const { id, status, nextAttemptAt } = { ...waiting, ...facts };
  expect(explain({ ...waiting, ...facts })).toEqual({ deliveryId: id, status, where, because, nextAttemptAt });
});
