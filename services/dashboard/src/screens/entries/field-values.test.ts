import { changesOf, isSameValue, shown, type TypeField, textsOf } from "./field-values.ts";
import { standingOf } from "./status.ts";

const field = (key: string, type: TypeField["type"]): TypeField => ({ key, type, required: false });
const ID = "0198c5a2-0000-7000-8000-000000000037";

test.each([
  ["text", "<b>سلام</b> 🧑‍🚀"],
  ["richtext", "two\nlines"],
  ["richtext", { blocks: [{ text: "a tree" }] }],
  ["number", 12.5],
  ["number", 1e30],
  ["boolean", false],
  ["datetime", "2026-11-23T13:05:31.123Z"],
  ["media", ID],
  ["json", { deep: [{ deeper: [null, 1] }] }],
  ["json", "a string"],
] as const)("a %s that is not touched is not sent: %j", (type, value) => {
  const fields = [field("one", type)];
  const data = { one: value };
  expect(changesOf(fields, data, textsOf(fields, data))).toEqual({ changes: {}, faults: [] });
});

test.each([
  ["text", "x", "x"],
  ["text", "", null],
  ["richtext", "x\ny", "x\ny"],
  ["number", "-3.5", -3.5],
  ["boolean", "true", true],
  ["boolean", "false", false],
  ["datetime", "2026-11-23T13:05", new Date("2026-11-23T13:05").toISOString()],
  ["reference", ID, ID],
  ["json", '{"a":[1]}', { a: [1] }],
] as const)("a %s of “%s” is sent as %j", (type, text, value) => {
  expect(changesOf([field("one", type)], { one: "before" }, { one: text }).changes).toEqual({ one: value });
});

test.each([
  ["json", "{", /^is not JSON/],
  ["number", "many", /must be a number/],
  ["number", "12345678901234567890", /too large/],
  ["datetime", "soon", /must be a date/],
] as const)("a %s of “%s” is refused at its field", (type, text, message) => {
  const { changes, faults } = changesOf([field("one", type)], {}, { one: text });
  expect(changes).toEqual({});
  expect(faults).toEqual([{ path: "data.one", message: expect.stringMatching(message) }]);
});

test("a field may have the name of what all objects have", () =>
  expect(textsOf([field("constructor", "text")], {})).toEqual({ constructor: "" }));

test("the tree of a rich-text editor stays one", () => {
  const fields = [field("body", "richtext")];
  expect(changesOf(fields, { body: { a: 1 } }, { body: '{"a":2}' }).changes).toEqual({ body: { a: 2 } });
  expect(changesOf(fields, { body: { a: 1 } }, { body: "plain" }).faults).toHaveLength(1);
});

test("shows values as people read them", () => {
  expect(shown({ type: "boolean" }, false)).toBe("No");
  expect(shown({ type: "text" }, "")).toBeUndefined();
  expect(shown({ type: "number" }, 0)).toBe("0");
  expect(shown({ type: "json" }, [1])).toBe("[\n  1\n]");
});

test("compares values whatever the order of their keys", () => {
  expect(isSameValue({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(isSameValue([1, 2], [2, 1])).toBe(false);
  expect(isSameValue(undefined, "")).toBe(false);
});

test.each([
  [null, false, "Draft", "quiet"],
  [1, false, "Live", "good"],
  [1, true, "Live with unpublished changes", "warning"],
] as const)("says what is live", (publishedRevision, hasUnpublishedChanges, text, tone) => {
  expect(standingOf({ publishedRevision, hasUnpublishedChanges })).toEqual({ text, tone });
});
