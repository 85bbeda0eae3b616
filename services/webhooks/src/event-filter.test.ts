// Tests which events a filter holds back, and which filters are valid.
import { eventData } from "@tradepost/event-catalog";
import { eventFilter, facetsOf, unmatchedFields } from "./event-filter.ts";

const dataOf = (type: string) => eventData[type]?.example ?? {};
const entry = (fields: object, more: object = {}) =>
  facetsOf({ entry: { type: "article", slug: "news/a", locale: "en", ...fields }, ...more });

test("wants every event without a filter", () => {
  expect(unmatchedFields(null, entry({}))).toEqual([]);
});

test("takes an event that matches each field by one of its values", () => {
  const filter = { entryType: ["page", "article"], locale: ["en"], slugPrefix: ["blog/", "news/"] };
  expect(unmatchedFields(filter, entry({}))).toEqual([]);
  expect(unmatchedFields(filter, entry({ type: "author", locale: "de" }))).toEqual(["entryType", "locale"]);
  expect(unmatchedFields(filter, entry({ slug: "new" }))).toEqual(["slugPrefix"]);
});

test("takes an update of an entry that enters or leaves it", () => {
  const filter = { slugPrefix: ["news/"] };
  expect(unmatchedFields(filter, entry({ slug: "archive/a" }, { previousSlug: "news/a" }))).toEqual([]);
  expect(unmatchedFields(filter, entry({ slug: "news/a" }, { previousSlug: "archive/a" }))).toEqual([]);
  expect(unmatchedFields(filter, entry({ slug: "b" }, { previousSlug: "a" }))).toEqual(["slugPrefix"]);
});

test("takes an update that changes one of its fields, and all that are no updates", () => {
  const filter = { changed: ["title", "slug"] };
  expect(unmatchedFields(filter, entry({}, { changedFields: ["body", "slug"] }))).toEqual([]);
  expect(unmatchedFields(filter, entry({}, { changedFields: ["body"] }))).toEqual(["changed"]);
  expect(unmatchedFields(filter, entry({}, { changedFields: [] }))).toEqual(["changed"]);
  expect(unmatchedFields(filter, entry({}))).toEqual([]);
  for (const type of ["content.entry.deleted", "media.uploaded", "redirect.added"])
    expect(unmatchedFields(filter, facetsOf(dataOf(type)))).toEqual([]);
});

test("applies a field only to the events that have it", () => {
  const filter = { entryType: ["page"], mediaType: ["video/"], fromPrefix: ["/old"] };
  expect(unmatchedFields(filter, facetsOf(dataOf("content.entry.deleted")))).toEqual(["entryType"]);
  expect(unmatchedFields(filter, facetsOf(dataOf("media.uploaded")))).toEqual(["mediaType"]);
  expect(unmatchedFields(filter, facetsOf(dataOf("redirect.removed")))).toEqual([]);
  expect(unmatchedFields({ fromPrefix: ["/new"] }, facetsOf(dataOf("redirect.added")))).toEqual([
    "fromPrefix",
  ]);
  for (const data of [{}, { entry: null }, { entry: "text" }, { entry: { type: 1 } }])
    expect(unmatchedFields(filter, facetsOf(data))).toEqual([]);
});

test.each([
  [{}, "must have a field"],
  [{ locale: null }, "must have a field"],
  [{ locale: [] }, "must be a list of 1 to 20 texts"],
  [{ locale: Array(21).fill("en") }, "must be a list of 1 to 20 texts"],
  [{ locale: "en" }, "must be a list of 1 to 20 texts"],
  [{ changed: [] }, "must be a list of 1 to 20 texts"],
  [{ entryType: [""] }, "must not be empty"],
  [{ locale: [1] }, "must be a string"],
  [{ locale: ["en_US"] }, "must be a language tag: en, de-AT"],
  [{ fromPrefix: ["blog/"] }, "must begin with / and have no query and no fragment"],
  [{ fromPrefix: ["/blog?page="] }, "must begin with / and have no query and no fragment"],
  [{ locale: ["en"], language: ["en"] }, 'Unrecognized key: "language"'],
])("is refused as %j", (filter, message) => {
  expect(eventFilter.safeParse(filter).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("has its values in the form in which events have them", () => {
  const filter = { locale: ["de-at", "EN"], fromPrefix: ["/old shop/", " /straße", "/a%20b", "/"] };
  expect(eventFilter.parse(filter)).toEqual({
    locale: ["de-AT", "en"],
    fromPrefix: ["/old%20shop/", "/stra%C3%9Fe", "/a%20b", "/"],
  });
  const fromPrefix = ["/%7euser", "/w%c3%bcst", "/a|b^[c]", "/%2f%41", "/100%"];
  expect(eventFilter.parse({ fromPrefix })).toEqual({
    fromPrefix: ["/~user", "/w%C3%BCst", "/a%7Cb%5E%5Bc%5D", "/%2FA", "/100%25"],
  });
});

test("keeps only the fields that it has", () => {
  expect(JSON.stringify(eventFilter.parse({ locale: ["en"], entryType: null }))).toBe('{"locale":["en"]}');
});
