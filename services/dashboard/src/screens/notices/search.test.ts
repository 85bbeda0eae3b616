import { expect, test } from "@jest/globals";
import { noticesSearch, queryOf } from "./search.ts";

test.each([
  [{ state: "open" }, { open: "true" }],
  [{ state: "closed" }, { open: "false" }],
  [{ state: "lost" }, {}],
  [{}, {}],
])("the address %j asks for %j", (search, query) => {
  expect(queryOf(noticesSearch(search))).toEqual(query);
});
