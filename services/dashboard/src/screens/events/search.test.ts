import { expect, test } from "@jest/globals";
import { eventsSearch, queryOf } from "./search.ts";

test.each([
  [{}, {}],
  [
    { type: "media.uploaded", resourceId: " x " },
    { type: "media.uploaded", resourceId: "x" },
  ],
  [{ type: "order.updated", resourceId: "", search: " sale " }, { search: "sale" }],
  [{ from: "2026-11-23", to: "never" }, { from: "2026-11-23T00:00:00.000Z" }],
])("the filters %j become %j", (typed, search) => expect(eventsSearch(typed)).toEqual(search));

test("the times limit when it happened", () => {
  const [from, to] = ["2026-11-23T05:00:00.000Z", "2026-11-24T05:00:00.000Z"];
  expect(queryOf({ from, to })).toEqual({ createdAfter: from, createdBefore: to });
});
