import { expect, test } from "@jest/globals";
import { sleep } from "./sleep.ts";

test("sleeps for the given time", async () => {
  const startedAt = performance.now();
  await sleep(20);
  // A timer may fire up to a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThan(18);
});

test("ends early without an error if the signal is aborted, before or during the sleep", async () => {
  await sleep(60_000, AbortSignal.abort());
  const stopping = new AbortController();
  const sleeping = sleep(60_000, stopping.signal);
  stopping.abort();
  await sleeping;
});
