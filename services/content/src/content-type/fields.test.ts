// Which changes of a content type require checking its entries.
import type { Field } from "../tables.ts";
import { mayInvalidateEntries } from "./fields.ts";

const title: Field = { key: "title", type: "text", required: true };
const body: Field = { key: "body", type: "richtext", required: false };

test.each<[string, Field[], boolean]>([
  ["changes nothing", [title, body], false],
  ["reorders the fields", [body, title], false],
  ["adds an optional field", [title, body, { key: "more", type: "json", required: false }], false],
  ["makes a field optional", [{ ...title, required: false }, body], false],
  ["adds a required field", [title, body, { key: "more", type: "json", required: true }], true],
  ["makes a field required", [title, { ...body, required: true }], true],
  ["changes a field's type", [title, { ...body, type: "text" }], true],
  ["removes a field", [title], true],
])("an update that %s", (_what, after, mayInvalidate) => {
  expect(mayInvalidateEntries([title, body], after)).toBe(mayInvalidate);
});
