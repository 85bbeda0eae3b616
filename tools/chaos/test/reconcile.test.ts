// Each case changes one thing in a run without violations.
import { describeFailed, type ReconciliationInput, reconcile } from "../src/reconcile.ts";
import { failedRequest } from "../src/send-requests.ts";
import type { Operation } from "../src/traffic.ts";

const event = (type: string, aggregateId: string) => ({
  ...{ eventId: `${type}-${aggregateId}`, type, aggregateId, occurredAt: new Date(1_000_000) },
  isReplayed: false,
});
const replayed = (type: string, id: string) => ({ ...event(type, id), isReplayed: true });
const operation = (type: Operation["type"], aggregateId: string, startedAt = 0) => ({
  ...{ type, aggregateId, startedAt },
  acknowledgedAt: startedAt + 10,
});
const webhook = (type: string, aggregateId: string, more: object = {}) => ({
  ...{ deliveryId: `${type}-${aggregateId}`, type, aggregateId, at: 50, isAccepted: true },
  ...more,
});

const failed = (response: { hasRetryAfter: boolean }, id = "3b0c8c5e-9f0e-4b58-8d8a-0f6f3a1f5d11") =>
  failedRequest({ method: "GET", path: `/v1/orders/${id}?expand=customer` }, { status: 503, ...response });

const events = [event("order.placed", "o"), event("redirect.added", "r"), event("redirect.removed", "r")];
const sound: ReconciliationInput = {
  operations: [
    operation("order.placed", "o"),
    operation("redirect.added", "r"),
    operation("redirect.removed", "r", 30),
  ],
  failedRequests: [],
  committedOrders: [{ id: "o" }],
  committedEvents: events,
  allCommittedEvents: events,
  observedEvents: events,
  webhooks: [webhook("redirect.added", "r"), webhook("redirect.removed", "r", { at: 90 })],
  badSignatures: 0,
  repairedAt: 20,
  unexpectedExits: 0,
};

describe("reconciliation", () => {
  test("finds no mismatch in a sound run", () => {
    expect(reconcile(sound)).toEqual({
      ...{ attempted: 3, acknowledged: 3, committed: 3, published: 3, delivered: 3 },
      ...{ lost: 0, missing: 0, duplicated: 0, unexpected: 0, outOfOrder: 0 },
      recoverySeconds: 0.07,
      failedRequests: {},
      unexpectedExits: 0,
    });
  });

  // biome-ignore format: a table is read by its columns.
  test.each<[string, Partial<ReconciliationInput>, object]>([
    ["a missing webhook as lost", { webhooks: sound.webhooks.slice(1) }, { lost: 1, delivered: 2 }],
    ["a webhook that was not accepted as lost", { webhooks: [webhook("redirect.added", "r", { isAccepted: false }), ...sound.webhooks.slice(1)] }, { lost: 1 }],
    ["an event that was not observed as lost", { observedEvents: events.slice(1) }, { lost: 1 }],
    ["an acknowledged operation without a commit as lost", { committedEvents: events.slice(1), committedOrders: [] }, { lost: 1, missing: 1 }],
    ["an order without an event as lost", { committedOrders: [...sound.committedOrders, { id: "x" }] }, { lost: 1 }],
    ["a repeated webhook as duplicated", { webhooks: [...sound.webhooks, webhook("redirect.added", "r")] }, { duplicated: 1, lost: 0 }],
    ["repeated events as neither out of order nor unexpected", { observedEvents: [...events, ...events] }, { outOfOrder: 0, unexpected: 0 }],
    ["a webhook without a commit as unexpected", { webhooks: [...sound.webhooks, webhook("redirect.added", "x")] }, { unexpected: 1 }],
    ["an event of an earlier run as expected", { allCommittedEvents: [...events, event("redirect.added", "old")], observedEvents: [...events, event("redirect.added", "old")] }, { unexpected: 0 }],
    ["a wrong signature as unexpected", { badSignatures: 1 }, { unexpected: 1 }],
    ["a deletion before its creation as out of order", { observedEvents: events.toReversed() }, { outOfOrder: 1 }],
    ["a replay in reverse order as in order", { observedEvents: [...events, ...events.toReversed().map(({ type, aggregateId }) => replayed(type, aggregateId))] }, { outOfOrder: 0 }],
    ["a creation that only the replay published as in order", { observedEvents: [event("order.placed", "o"), event("redirect.removed", "r"), replayed("redirect.added", "r")] }, { outOfOrder: 0, lost: 0 }],
    ["a run without operations after the repair as not recovered", { repairedAt: 500 }, { recoverySeconds: null }],
    ["failed requests by status", { failedRequests: [failed({ hasRetryAfter: true })] }, { failedRequests: { "503": 1 } }],
    ["a 503 without Retry-After separately", { failedRequests: [failed({ hasRetryAfter: false })] }, { failedRequests: { "503 without Retry-After": 1 } }],
  ])("counts %s", (_, change, expected) => {
    expect(reconcile({ ...sound, ...change })).toMatchObject(expected);
  });
});

test("failed requests are described by kind and status", () => {
  const requests = [failed({ hasRetryAfter: true }), failed({ hasRetryAfter: true }, "0".repeat(36))];
  expect(describeFailed(requests)).toEqual(["failed requests: 2 GET /v1/orders/{id} with 503"]);
});
