// What follows an attempt, on the specification's schedule.
import { describe, expect, test } from "@jest/globals";
import { afterAttempt, type Wait } from "./delivery.ts";
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

describe("delivery", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])(
    "after failed attempt %i waits as the specification's table says",
    (attempt) => {
      const wait = schedule[attempt - 1];
      expect(afterAttempt(attempt, "timeout", schedule)).toEqual({
        status: "retrying",
        waitMs: wait?.ms,
        waitLabel: wait?.label,
      });
    },
  );

  test("fails for good with the 8th failed attempt", () => {
    expect(afterAttempt(8, "http_status", schedule)).toEqual({ status: "failed" });
  });

  test("is delivered by any attempt that succeeds", () => {
    expect(afterAttempt(1, "delivered", schedule)).toEqual({ status: "delivered" });
    expect(afterAttempt(8, "delivered", schedule)).toEqual({ status: "delivered" });
  });

  test("a wait that comes twice has one queue", () => {
    expect(retryQueues([schedule[0], schedule[0], schedule[1]] as Wait[])).toEqual([
      { name: "webhooks.retry.1m", waitMs: MINUTE },
      { name: "webhooks.retry.5m", waitMs: 5 * MINUTE },
    ]);
  });
});
