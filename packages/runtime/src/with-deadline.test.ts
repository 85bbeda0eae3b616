import { expect, test } from "@jest/globals";
import { withDeadline } from "./with-deadline.ts";

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
