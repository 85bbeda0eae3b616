import { expect, test } from "@jest/globals";
import { ledgerSearch, webhooksSearch } from "./search.ts";

test("unknown values are dropped", () => {
  expect(webhooksSearch({ create: "yes", type: "order.updated", other: 1 })).toEqual({});
  const known = { create: true, type: "media.uploaded" };
  expect(webhooksSearch(known)).toEqual(known);
});

test("the ledger has 7 days, or 30, and one that is unfolded", () => {
  expect(ledgerSearch({ days: 7, day: "today" })).toEqual({});
  expect(ledgerSearch({ days: 30, day: "2026-11-24" })).toEqual({ days: 30, day: "2026-11-24" });
});
