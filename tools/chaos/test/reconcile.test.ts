// What a run is charged with, by hand-made runs that each have one thing wrong.
import { describe, expect, test } from "@jest/globals";
import { type Observed, reconcile } from "../src/reconcile.ts";

const at = (ms: number) => new Date(1_000_000 + ms);
const event = (type: string, id: string) => ({
  ...{ eventId: `${type}-${id}`, type, id, occurredAt: at(0) },
  isReplayed: false,
});
const replayed = (type: string, id: string) => ({ ...event(type, id), isReplayed: true });
const operation = (
  kind: "order.placed" | "redirect.added" | "redirect.removed",
  id: string,
  startedAt = 0,
) => ({
  ...{ kind, id, tenantId: "t", mark: id, startedAt },
  acknowledgedAt: startedAt + 10,
});
const webhook = (type: string, id: string, more: object = {}) => ({
  ...{ deliveryId: `${type}-${id}`, type, id, at: 50, isAccepted: true },
  ...more,
});

const events = [event("order.placed", "o"), event("redirect.added", "r"), event("redirect.removed", "r")];
const sound: Observed = {
  operations: [
    operation("order.placed", "o"),
    operation("redirect.added", "r"),
    operation("redirect.removed", "r", 30),
  ],
  refusals: [],
  orders: [{ id: "o" }],
  events,
  everCommitted: events,
  heard: events,
  webhooks: [webhook("redirect.added", "r"), webhook("redirect.removed", "r", { at: 90 })],
  forged: 0,
  healedAt: 20,
  unexpectedExits: 0,
};

describe("a run's ledger", () => {
  test("adds up where all is well", () => {
    expect(reconcile(sound)).toEqual({
      ...{ attempted: 3, acknowledged: 3, committed: 3, delivered: 3 },
      ...{ lost: 0, duplicated: 0, unexpected: 0, outOfOrder: 0 },
      recoverySeconds: 0.07,
      refused: {},
      unexpectedExits: 0,
    });
  });

  // biome-ignore format: a table is read by its columns.
  test.each<[string, Partial<Observed>, object]>([
    ["a webhook that never came", { webhooks: sound.webhooks.slice(1) }, { lost: 1, delivered: 2 }],
    ["one that was not accepted", { webhooks: [webhook("redirect.added", "r", { isAccepted: false }), ...sound.webhooks.slice(1)] }, { lost: 1 }],
    ["an event that nobody heard", { heard: events.slice(1) }, { lost: 1 }],
    ["an answer that nothing stands behind", { events: events.slice(1), orders: [] }, { lost: 1 }],
    ["an order without its event", { orders: [...sound.orders, { id: "x" }] }, { lost: 1 }],
    ["a webhook that came twice", { webhooks: [...sound.webhooks, webhook("redirect.added", "r")] }, { duplicated: 1, lost: 0 }],
    ["an event that is repeated", { heard: [...events, ...events] }, { outOfOrder: 0, unexpected: 0 }],
    ["a webhook of what was never committed", { webhooks: [...sound.webhooks, webhook("redirect.added", "x")] }, { unexpected: 1 }],
    ["one of an earlier run, again", { everCommitted: [...events, event("redirect.added", "old")], heard: [...events, event("redirect.added", "old")] }, { unexpected: 0 }],
    ["one that is not signed", { forged: 1 }, { unexpected: 1 }],
    ["a removal heard before the adding", { heard: events.toReversed() }, { outOfOrder: 1 }],
    ["a replay from the newest event down", { heard: [...events, ...events.toReversed().map(({ type, id }) => replayed(type, id))] }, { outOfOrder: 0 }],
    ["an adding that only the replay brought", { heard: [event("order.placed", "o"), event("redirect.removed", "r"), replayed("redirect.added", "r")] }, { outOfOrder: 0, lost: 0 }],
    ["nothing begun since the repair", { healedAt: 500 }, { recoverySeconds: null }],
    ["refusals", { refusals: [{ status: 503, hasRetryAfter: true, path: "orders", at: 1 }] }, { refused: { "503": 1 } }],
    ["a 503 without an hour", { refusals: [{ status: 503, hasRetryAfter: false, path: "orders", at: 1 }] }, { refused: { "503 without Retry-After": 1 } }],
  ])("is charged with %s", (_, wrong, expected) => {
    expect(reconcile({ ...sound, ...wrong })).toMatchObject(expected);
  });
});
