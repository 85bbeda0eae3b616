import { ARTICLE, bodyOf, draftOf, entryIn, fieldsText, isSame, moved, named, slugOf } from "./type-draft.ts";

test.each([
  [1, -1, ["b", "a", "c"]],
  [1, 1, ["a", "c", "b"]],
  [0, -1, ["a", "b", "c"]],
  [2, 1, ["a", "b", "c"]],
] as const)("moves item %d by %d", (index, by, result) => {
  expect(moved(["a", "b", "c"], index, by)).toEqual(result);
});

test("a type that is read and not changed stays the same", () => {
  const type = { slug: "article", version: 3, ...bodyOf(ARTICLE) } as Parameters<typeof draftOf>[0];
  expect(isSame(draftOf(type), ARTICLE)).toBe(true);
  expect(isSame(draftOf({ ...type, name: "Articles" }), ARTICLE)).toBe(false);
});

test.each([
  ["Article", "article"],
  ["  Büro & Küche! ", "buro-kuche"],
  ["Øre 2", "re-2"],
  ["商品", ""],
  [`${"a".repeat(63)} b`, "a".repeat(63)],
])("makes a slug of %s", (name, slug) => expect(slugOf(name)).toBe(slug));

test("the slug follows the name until somebody writes one", () => {
  const empty = { slug: "", name: "", fields: [] };
  const first = named(empty, "Shop page");
  expect(named(first, "Shop pages").slug).toBe("shop-pages");
  expect(named({ ...first, slug: "page" }, "Other").slug).toBe("page");
});

test("names the fields in words", () => {
  expect(fieldsText(ARTICLE.fields)).toBe("title: Text, one line, required\nbody: Long text");
  expect(fieldsText([])).toBe("none");
});

test("finds the entry that a refusal names", () => {
  const id = "0198c5a2-0000-7000-8000-000000000037";
  expect(entryIn(`The change would make entry ${id} invalid.`)).toBe(id);
  expect(entryIn("The type is in use.")).toBeUndefined();
});
