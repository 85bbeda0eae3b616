import { expect, test } from "@jest/globals";
import { bellText, countText, wordsOf } from "./words.ts";

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
