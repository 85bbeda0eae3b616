// The transitions of a delivery.
import { type DeliveryStatus, deliveryStatuses } from "../delivery-status.ts";
import { reasonOf, statusAfter, type TransitionName, transitionColumns } from "./lifecycle.ts";

// The new status from pending, retrying, paused, delivered, failed, cancelled; a dash if the transition does not exist.
// biome-ignore format: a table is read by its columns.
const TRANSITIONS: Record<TransitionName, (DeliveryStatus | "-")[]> = {
  "attempt succeeded":                ["delivered", "delivered", "delivered", "-",       "-",       "delivered"],
  "attempt failed":                   ["retrying",  "retrying",  "paused",    "-",       "-",       "cancelled"],
  "last attempt failed":              ["failed",    "failed",    "failed",    "-",       "-",       "cancelled"],
  paused:                             ["paused",    "paused",    "-",         "-",       "-",       "-"],
  "resumed before its first attempt": ["-",         "-",         "pending",   "-",       "-",       "-"],
  "resumed between attempts":         ["-",         "-",         "retrying",  "-",       "-",       "-"],
  cancelled:                          ["cancelled", "cancelled", "cancelled", "-",       "-",       "-"],
  restarted:                          ["pending",   "pending",   "pending",   "pending", "pending", "pending"],
  "restarted while paused":           ["paused",    "paused",    "paused",    "paused",  "paused",  "paused"],
};
const names = Object.keys(TRANSITIONS) as TransitionName[];

test.each(names)("changes its status, or does not, when: %s", (name) => {
  const after = deliveryStatuses.map((before) => statusAfter(name, before) ?? "-");
  expect(after).toEqual(TRANSITIONS[name]);
});

test("has the same transitions as columns, without those that do not exist", () => {
  const { name, before, after } = transitionColumns("resumed between attempts", "cancelled");
  expect(name.map((each, row) => [each, before[row], after[row]])).toEqual([
    ["resumed between attempts", "paused", "retrying"],
    ["cancelled", "pending", "cancelled"],
    ["cancelled", "retrying", "cancelled"],
    ["cancelled", "paused", "cancelled"],
  ]);
});

test("has the status code of a response in the reason of its failure, and only there", () => {
  expect(reasonOf({ outcome: "http_status", statusCode: 500 })).toBe("http_status 500");
  expect(reasonOf({ outcome: "timeout", statusCode: null })).toBe("timeout");
});
