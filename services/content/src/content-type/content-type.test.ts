// Which changes of a content type are looked up in its entries.
import { expect, test } from "@jest/globals";
import { type Field, mayBreakEntries } from "./content-type.ts";

const title: Field = { key: "title", type: "text", required: true };
const body: Field = { key: "body", type: "richtext", required: false };

test.each<[string, Field[], boolean]>([
  ["nothing", [title, body], false],
  ["their order", [body, title], false],
  ["a field that may be missing", [title, body, { key: "more", type: "json", required: false }], false],
  ["a field that need not be there any more", [{ ...title, required: false }, body], false],
  ["a field that must be there", [title, body, { key: "more", type: "json", required: true }], true],
  ["a field that must be there from now on", [title, { ...body, required: true }], true],
  ["a field's type", [title, { ...body, type: "text" }], true],
  ["a field less", [title], true],
])("a change of %s", (_what, after, mayBreak) => {
  expect(mayBreakEntries([title, body], after)).toBe(mayBreak);
});
