import { expect, test } from "@jest/globals";
import { bellText, countText } from "./bell-text.ts";

test.each([
  [0, false, "0", "Notices"],
  [1, false, "1", "Notices: 1 open"],
  [100, true, "100+", "Notices: 100 or more open"],
])("%d open, and more: %s", (count, hasMore, shown, read) => {
  expect([countText(count, hasMore), bellText(count, hasMore)]).toEqual([shown, read]);
});
