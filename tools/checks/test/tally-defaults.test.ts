// How soon somebody notices, by the defaults, that the broker lost a published event (docs/decisions/0017).
import { settings as content } from "@tradepost/content/config";
import { settings as webhooks } from "@tradepost/webhooks/config";

// As in missing-events.ts of the webhooks service.
const LOOK_EVERY_MS = 10_000;

test("a lost event is in the metric and in the log within two minutes", () => {
  const everyMs = content.shape.EVENTS_TALLY_EVERY_MS.parse(undefined);
  const graceMs = webhooks.shape.WEBHOOKS_SWEEP_GRACE_MS.parse(undefined);
  // A tally ends `everyMs` before it is sent, so an event that has just missed one is in the next when it is twice as old.
  expect(2 * everyMs + graceMs + LOOK_EVERY_MS).toBeLessThanOrEqual(120_000);
});
