import { expect, test } from "@jest/globals";
import { wordsOf } from "./words.ts";

test.each([
  ["title", "Title"],
  ["expiresAt", "Expires at"],
  ["opens_at", "Opens at"],
  ["line2Text", "Line2 text"],
  ["ISBN", "Isbn"],
])("%s becomes %s", (name, words) => expect(wordsOf(name)).toBe(words));
