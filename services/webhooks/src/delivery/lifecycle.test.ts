// The transitions of a delivery, with the default schedule.
import { describe, expect, test } from "@jest/globals";
import { type DeliveryStatus, deliveryStatuses } from "../delivery-status.ts";
import { retryQueues, type Wait } from "../topology.ts";
import {
  reasonOf,
  statusAfter,
  type TransitionName,
  transitionAfter,
  transitionColumns,
} from "./lifecycle.ts";

const MINUTE = 60_000;
const schedule: Wait[] = [
  { label: "1m", ms: MINUTE },
  { label: "5m", ms: 5 * MINUTE },
  { label: "15m", ms: 15 * MINUTE },
  { label: "30m", ms: 30 * MINUTE },
  { label: "1h", ms: 60 * MINUTE },
  { label: "2h", ms: 120 * MINUTE },
  { label: "4h", ms: 240 * MINUTE },
];

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

describe("delivery", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])(
    "waits as long as the schedule says after failed attempt %i",
    (attempt) => {
      const wait = schedule[attempt - 1];
      expect(transitionAfter(attempt, "timeout", schedule)).toEqual({ name: "attempt failed", wait });
    },
  );

  test("fails for good after the 8th failed attempt", () => {
    expect(transitionAfter(8, "http_status", schedule)).toEqual({ name: "last attempt failed" });
  });

  test("is delivered by any attempt that succeeds", () => {
    expect(transitionAfter(1, "delivered", schedule)).toEqual({ name: "attempt succeeded" });
    expect(transitionAfter(8, "delivered", schedule)).toEqual({ name: "attempt succeeded" });
  });

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

  test("has one retry queue for a wait that the schedule contains twice", () => {
    expect(retryQueues([schedule[0], schedule[0], schedule[1]] as Wait[])).toEqual([
      { name: "webhooks.retry.1m", waitMs: MINUTE },
      { name: "webhooks.retry.5m", waitMs: 5 * MINUTE },
    ]);
  });
});
