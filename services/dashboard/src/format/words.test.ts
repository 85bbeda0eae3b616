import { bellText, countText, entryTitle, size, wordsOf } from "./words.ts";

test.each([
  ["title", "Title"],
  ["expiresAt", "Expires at"],
  ["opens_at", "Opens at"],
  ["line2Text", "Line2 text"],
  ["ISBN", "Isbn"],
])("%s becomes %s", (name, words) => expect(wordsOf(name)).toBe(words));

test.each([
  [0, false, "0", "Notices"],
  [1, false, "1", "Notices: 1 open"],
  [100, true, "100+", "Notices: 100 or more open"],
])("%d open, and more: %s", (count, hasMore, shown, read) => {
  expect([countText(count, hasMore), bellText(count, hasMore)]).toEqual([shown, read]);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [1_234, "1.2 kB"],
  [12_345, "12.3 kB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [999_600, "1.0 MB"],
  [26_214_400, "26.2 MB"],
  [10 * 2 ** 30, "10.7 GB"],
  [5e12, "5,000 GB"],
])("%d bytes are %s", (bytes, text) => {
  expect(size(bytes)).toBe(text);
});

test("an entry is named by its title, then its first text that is not an id, then its slug", () => {
  const data = { picture: "0198c5a2-0000-7000-8000-000000000037", body: "b", title: "T" };
  expect(entryTitle({ data, slug: "s" })).toBe("T");
  expect(entryTitle({ data: { ...data, title: " " }, slug: "s" })).toBe("b");
  expect(entryTitle({ data: { size: 3 }, slug: "s" })).toBe("s");
});
