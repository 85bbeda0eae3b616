// A delivery's life on the specification's schedule: what follows an attempt, and what may happen when.
import { describe, expect, test } from "@jest/globals";
import {
  afterAttempt,
  type DeliveryStatus,
  deliveryStatuses,
  type Happening,
  statusAfter,
  transitions,
  type Wait,
} from "./delivery.ts";
import { retryQueues } from "./retry-schedule.ts";

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

// Statuses in the order pending, retrying, paused, delivered, failed, cancelled; a dash where it cannot happen.
// biome-ignore format: a table is read by its columns.
const LIFE: Record<Happening, (DeliveryStatus | "-")[]> = {
  arrived:                            ["delivered", "delivered", "delivered", "-",       "-",       "delivered"],
  "attempt failed":                   ["retrying",  "retrying",  "paused",    "-",       "-",       "cancelled"],
  "last attempt failed":              ["failed",    "failed",    "failed",    "-",       "-",       "cancelled"],
  paused:                             ["paused",    "paused",    "-",         "-",       "-",       "-"],
  "resumed before its first attempt": ["-",         "-",         "pending",   "-",       "-",       "-"],
  "resumed between attempts":         ["-",         "-",         "retrying",  "-",       "-",       "-"],
  cancelled:                          ["cancelled", "cancelled", "cancelled", "-",       "-",       "-"],
  redelivered:                        ["pending",   "pending",   "pending",   "pending", "pending", "pending"],
  "redelivered while paused":         ["paused",    "paused",    "paused",    "paused",  "paused",  "paused"],
};
const happenings = Object.keys(LIFE) as Happening[];

describe("delivery", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])(
    "after failed attempt %i waits as the specification's table says",
    (attempt) => {
      const wait = schedule[attempt - 1];
      expect(afterAttempt(attempt, "timeout", schedule)).toEqual({ happening: "attempt failed", wait });
    },
  );

  test("fails for good with the 8th failed attempt", () => {
    expect(afterAttempt(8, "http_status", schedule)).toEqual({ happening: "last attempt failed" });
  });

  test("is delivered by any attempt that succeeds", () => {
    expect(afterAttempt(1, "delivered", schedule)).toEqual({ happening: "arrived" });
    expect(afterAttempt(8, "delivered", schedule)).toEqual({ happening: "arrived" });
  });

  test.each(happenings)("what becomes of it when it is: %s", (happening) => {
    const after = deliveryStatuses.map((before) => statusAfter(happening, before) ?? "-");
    expect(after).toEqual(LIFE[happening]);
  });

  test("its transitions as columns are the same, and leave out what cannot happen", () => {
    const { happening, before, after } = transitions("resumed between attempts", "cancelled");
    expect(happening.map((name, row) => [name, before[row], after[row]])).toEqual([
      ["resumed between attempts", "paused", "retrying"],
      ["cancelled", "pending", "cancelled"],
      ["cancelled", "retrying", "cancelled"],
      ["cancelled", "paused", "cancelled"],
    ]);
  });

  test("a wait that comes twice has one queue", () => {
    expect(retryQueues([schedule[0], schedule[0], schedule[1]] as Wait[])).toEqual([
      { name: "webhooks.retry.1m", waitMs: MINUTE },
      { name: "webhooks.retry.5m", waitMs: 5 * MINUTE },
    ]);
  });
});
