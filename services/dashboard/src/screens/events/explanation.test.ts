import type { DeliveryStatus, EventType } from "../../format/webhooks.ts";
import { explain } from "./explanation.ts";

const TYPE = "redirect.added";
const subscription = (events: EventType[] = [TYPE]) => ({ kind: "subscription" as const, events });
const listener = { ...subscription(), kind: "listener" as const };
const missed = (reason: "created_later" | "type_not_subscribed") => ({
  reason,
  filteredBy: null,
  deliveryId: null,
});
const matched = { reason: null, filteredBy: null, deliveryId: "d" };

describe("without a match", () => {
  test("of a later subscription: replay it", () => {
    const explanation = explain(TYPE, missed("created_later"), undefined, subscription());
    expect(explanation).toMatchObject({
      reason: "The subscription was created after this happened.",
      next: expect.stringMatching(/^Replay what is missing/),
      isDoneThere: true,
    });
  });

  test("of a type that it does not ask for: add it", () => {
    const now = subscription(["media.uploaded"]);
    const { reason, next } = explain(TYPE, missed("type_not_subscribed"), undefined, now);
    expect(reason).toBe("The subscription does not ask for “Redirect added”.");
    expect(next).toMatch(/^Add the event/);
  });

  test("of a type that it has asked for since", () => {
    const { reason, next } = explain(TYPE, missed("type_not_subscribed"), undefined, subscription());
    expect(reason).toContain("only after this happened");
    expect(next).toMatch(/^Replay what is missing/);
  });

  test.each([
    [["locale"], "The filter of the subscription kept it back: its locale does not match."],
    [null, "The filter of the subscription kept it back."],
  ] as const)("of what a filter keeps back: by %j", (filteredBy, sentence) => {
    const filtered = {
      reason: "filtered",
      filteredBy: filteredBy && [...filteredBy],
      deliveryId: null,
    } as const;
    const { reason, next } = explain(TYPE, filtered, undefined, subscription());
    expect(reason).toBe(sentence);
    expect(next).toMatch(/change the filter/);
  });

  test("of a later listener: it gets no past events", () => {
    expect(explain(TYPE, missed("created_later"), undefined, listener).next).toMatch(
      /make the change once more/,
    );
  });

  test("of a listener", () => {
    const { next } = explain(TYPE, missed("type_not_subscribed"), undefined, { ...listener, events: [] });
    expect(next).toMatch(/^Make a listener/);
  });
});

describe("with a match", () => {
  test.each<[DeliveryStatus, RegExp, RegExp | undefined]>([
    ["delivered", /arrived/, undefined],
    ["pending", /about to be sent/, undefined],
    ["retrying", /did not accept it yet/, /by itself/],
    ["paused", /is paused/, /^Resume/],
    ["failed", /never accepted/, /redeliver/],
    ["cancelled", /was deleted/, undefined],
  ])("%s", (status, reason, next) => {
    const explanation = explain(TYPE, matched, status, subscription());
    expect(explanation.reason).toMatch(reason);
    if (next === undefined) expect(explanation.next).toBeUndefined();
    else expect(explanation.next).toMatch(next);
  });

  test("of a type that is no longer offered: cancelled", () => {
    const { reason } = explain("order.placed", matched, "cancelled", subscription());
    expect(reason).toBe("The operator stopped offering this event before it was delivered.");
    expect(explain("order.placed", matched, "cancelled", null).reason).toMatch(/was deleted/);
  });

  test("of a listener: it is fetched", () => {
    expect(explain(TYPE, matched, "pending", listener).reason).toMatch(/fetched/);
    expect(explain(TYPE, matched, "paused", listener).next).toMatch(/lease/);
  });

  test("whose delivery has left the log", () => {
    const old = { ...matched, deliveryId: null };
    expect(explain(TYPE, old, undefined, null).reason).toContain("no longer in the log");
  });
});
