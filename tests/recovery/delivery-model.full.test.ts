// The model of an event's way from commit to the end of each delivery keeps its promises in every execution, and would not without
// the mechanisms that keep them.
import { describeWithSpin, type Macros, searchDeliveryModel } from "../support/spin.ts";

// The search of this model takes seconds. A second delivery multiplies the executions, so it has one attempt.
const ONE: Macros = { EVENTS: 1, SUBSCRIPTIONS: 1, ATTEMPTS: 2, FAULTS: 2 };

describeWithSpin("the model of deliveries", () => {
  test("accounts for every committed event: one delivery and three faults, which reach each statement", async () => {
    expect(await searchDeliveryModel({ ...ONE, FAULTS: 3 })).toEqual({ violation: null, unreached: [] });
  });

  test.each<[string, Macros]>([
    ["one delivery of eight attempts and a fault", { ...ONE, ATTEMPTS: 8, FAULTS: 1 }],
    ["two subscriptions and a fault", { ...ONE, SUBSCRIPTIONS: 2, ATTEMPTS: 1, FAULTS: 1 }],
    ["two events and a fault", { ...ONE, EVENTS: 2, ATTEMPTS: 1, FAULTS: 1 }],
  ])("accounts for every committed event: %s", async (_, macros) => {
    const { violation } = await searchDeliveryModel(macros);
    expect(violation).toBeNull();
  });

  test("has no execution that goes on for ever", async () => {
    const { violation } = await searchDeliveryModel(ONE, { forCycles: true });
    expect(violation).toBeNull();
  });

  test.each([
    ["the relay deletes a row before its confirm", "BREAK_RELAY_DELETES_FIRST", "isNamedLost"],
    ["fan-out inserts the deliveries of an event again", "BREAK_FAN_OUT_REPEATS", "attempts"],
    ["a claim does not read the subscription", "BREAK_CLAIM_IGNORES_PAUSE", "isActive"],
    ["a late result counts as another attempt", "BREAK_SETTLE_COUNTS_TWICE", "attempts"],
    ["nothing is swept", "BREAK_NO_SWEEP", "isNamedLost"],
    ["nothing compares what was published with what arrived", "BREAK_NO_TALLY", "isNamedLost"],
    [
      "a crash forgets that deliveries must follow their subscription",
      "BREAK_RECONCILE_FORGETS",
      "isNamedLost",
    ],
  ])("is violated if %s", async (_, macro, variable) => {
    const { violation } = await searchDeliveryModel({ ...ONE, [macro]: true });
    expect(violation).toMatch(/assertion violated/);
    expect(violation).toContain(variable);
  });
});
