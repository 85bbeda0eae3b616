import { backoff, sleep, withDeadline } from "./waits.ts";

const LIMITS = { minMs: 100, maxMs: 1_500 };

describe("backoff", () => {
  test("starts at the minimum, doubles and stays at the maximum", () => {
    const waits = [0, 1, 2, 3, 4, 5, 100_000].map((retryCount) => backoff(retryCount, LIMITS));
    expect(waits).toEqual([100, 200, 400, 800, 1_500, 1_500, 1_500]);
  });

  test("with full jitter is anything from 0 to the backoff without jitter", () => {
    const waits = [0, 0.5, 0.999].map((random) => backoff(2, { ...LIMITS, jitter: "full" }, () => random));
    expect(waits).toEqual([0, 200, 399.6]);
  });
});

test("ends early without an error if the signal is aborted, before or during the sleep", async () => {
  await sleep(60_000, AbortSignal.abort());
  const stopping = new AbortController();
  const sleeping = sleep(60_000, stopping.signal);
  stopping.abort();
  await sleeping;
});

test("settles as the operation does before the deadline", async () => {
  expect(await withDeadline(Promise.resolve("result"), 60_000, "late")).toBe("result");
  await expect(withDeadline(Promise.reject(new Error("failed")), 60_000, "late")).rejects.toThrow("failed");
});

test("rejects with the message at the deadline and ignores a later failure of the operation", async () => {
  const operation = Promise.withResolvers<never>();
  await expect(withDeadline(operation.promise, 10, "late")).rejects.toThrow("late");
  // An unhandled rejection would fail the test run.
  operation.reject(new Error("failed"));
  await new Promise(setImmediate);
});
