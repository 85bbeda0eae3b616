import { describe, expect, test } from "@jest/globals";
import type { DeliveryStatus, EventType } from "../../format/webhooks.ts";
import { explain } from "./explanation.ts";

const TYPE = "redirect.added";
const subscription = (events: EventType[] = [TYPE]) => ({
  kind: "subscription" as const,
  isActive: true,
  events,
});
const listener = { ...subscription(), kind: "listener" as const };
const missed = (reason: "created_later" | "type_not_subscribed") => ({ reason, deliveryId: null });
const matched = { reason: null, deliveryId: "d" };

describe("without a match", () => {
  test("of a later subscription: says what does not help, and what does", () => {
    const { reason, next } = explain(TYPE, missed("created_later"), undefined, subscription());
    expect(reason).toBe("The subscription was created after this happened.");
    expect(next).toMatch(/recovering only repeats .* make the change once more/);
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
    expect(next).toMatch(/^Past events are not sent later/);
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

  test("of a listener: it is fetched", () => {
    expect(explain(TYPE, matched, "pending", listener).reason).toMatch(/fetched/);
    expect(explain(TYPE, matched, "paused", listener).next).toMatch(/lease/);
  });

  test("whose delivery has left the log", () => {
    const old = { reason: null, deliveryId: null };
    expect(explain(TYPE, old, undefined, null).reason).toContain("no longer in the log");
  });
});
