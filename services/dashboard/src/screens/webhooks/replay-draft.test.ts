import { countedText, progressText, selectionIn } from "./replay-draft.ts";

test("the form's fields become a body; empty ones are left out", () => {
  const form = new FormData();
  form.set("include", "missing");
  form.set("since", "2026-11-23T14:05:00Z");
  form.set("until", "");
  expect(selectionIn(form)).toEqual({ include: "missing", since: "2026-11-23T14:05:00.000Z" });
  form.set("until", "2026-11-24T14:05:00Z");
  form.append("types", "redirect.added");
  form.append("types", "media.uploaded");
  expect(selectionIn(form)).toEqual({
    include: "missing",
    since: "2026-11-23T14:05:00.000Z",
    until: "2026-11-24T14:05:00.000Z",
    types: ["redirect.added", "media.uploaded"],
  });
});

test("a count is read with its verb", () => {
  expect([1, 1_200].map(countedText)).toEqual(["1 will be sent", "1,200 will be sent"]);
});

test.each([
  ["running", 0, "It goes on…"],
  ["finished", 0, "Finished."],
  ["finished", 2, "Finished. 2 were skipped, because they had changed meanwhile."],
  ["cancelled", 0, "Cancelled."],
  ["cancelled", 1, "Cancelled. 1 was not sent."],
] as const)("a replay that is %s and skipped %d says: %s", (status, skipped, text) => {
  expect(progressText({ status, skipped })).toBe(text);
});
