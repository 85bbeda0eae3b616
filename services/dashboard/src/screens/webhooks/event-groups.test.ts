import { expect, test } from "@jest/globals";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { EVENT_GROUPS, withAll, withoutAll } from "./event-groups.ts";

test("every type is in one group, and every group has a name", () => {
  expect(EVENT_GROUPS.flatMap(({ types }) => types)).toEqual(Object.keys(EVENT_TYPES));
  expect(EVENT_GROUPS.map(({ name }) => name)).toEqual(["Entries", "Files", "Redirects"]);
});

test("a group is added and removed as a whole", () => {
  const chosen = withAll(["redirect.added"], ["media.uploaded", "media.processed", "redirect.added"]);
  expect(chosen).toEqual(["media.uploaded", "media.processed", "redirect.added"]);
  expect(withoutAll(chosen, ["media.uploaded", "media.processed"])).toEqual(["redirect.added"]);
});
