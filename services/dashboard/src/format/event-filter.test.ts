import { ALL_FILTER_FIELDS, appliesTo, filterLines, mismatchText } from "./event-filter.ts";

test.each([
  [["content.entry.deleted"], ["entryType", "locale", "slugPrefix"]],
  [
    ["redirect.added", "media.uploaded"],
    ["mediaType", "fromPrefix"],
  ],
  [[], []],
] as const)("the events %j have the fields %j", (types, fields) => {
  expect(ALL_FILTER_FIELDS.filter((field) => appliesTo(field, types))).toEqual(fields);
});

test("a filter is read in words", () => {
  expect(filterLines(null)).toEqual([]);
  expect(filterLines({ fromPrefix: ["/a"], locale: ["en", "de", "fr"], entryType: ["page"] })).toEqual([
    "Only entries of the type “page”, in the locale “en”, “de” or “fr”",
    "Only redirects from a path that begins with “/a”",
  ]);
});

test("what an event does not match is read in words", () => {
  expect(mismatchText(["mediaType"])).toBe("its media type does not match");
  expect(mismatchText(["locale", "slugPrefix"])).toBe("its locale and its slug do not match");
});
