import { expect, test } from "@jest/globals";
import { previewText } from "./preview-text.ts";

test.each([
  [1_000, 12, "12 of the latest 1,000 events match"],
  [7, 1, "1 of the latest 7 events matches"],
  [7, 0, "0 of the latest 7 events match"],
  [1, 1, "The latest event matches"],
  [1, 0, "The latest event does not match"],
  [0, 0, "Nothing has happened yet that it could be tried on"],
])("of %d events, %d match", (examined, matched, text) => {
  expect(previewText({ examined, matched })).toBe(text);
});
