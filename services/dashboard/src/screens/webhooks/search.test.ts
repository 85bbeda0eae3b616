import { expect, test } from "@jest/globals";
import { activeOf, ledgerSearch, subscriptionSearch, webhooksSearch } from "./search.ts";

test("unknown values are dropped", () => {
  expect(webhooksSearch({ state: "lost", create: "yes", type: "order.updated", other: 1 })).toEqual({});
  const known = { state: "paused", create: true, type: "media.uploaded" };
  expect(webhooksSearch(known)).toEqual(known);
  expect(subscriptionSearch({ replay: "x" })).toEqual({});
  const replay = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
  expect(subscriptionSearch({ replay, days: 7 })).toEqual({ replay, days: 7 });
  expect(subscriptionSearch({ days: 30 })).toEqual({});
});

test("the ledger has 7 days, or 30, and one that is unfolded", () => {
  expect(ledgerSearch({ days: 7, day: "today" })).toEqual({});
  expect(ledgerSearch({ days: 30, day: "2026-11-24" })).toEqual({ days: 30, day: "2026-11-24" });
});

test("the state becomes the filter of the API", () => {
  expect(activeOf({})).toEqual({});
  expect(activeOf({ state: "active" })).toEqual({ active: "true" });
  expect(activeOf({ state: "paused" })).toEqual({ active: "false" });
});
