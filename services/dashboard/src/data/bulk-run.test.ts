import { type Failure, withoutResponse } from "../api/failure.ts";
import { rangeOf, runBulk } from "./bulk-run.ts";

test("a few are sent at a time, and a failure keeps nothing back", async () => {
  const results: [string, string][] = [];
  let inProgress = 0;
  let most = 0;
  await runBulk([..."abcdefg"], {
    send: async (item) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      await Promise.resolve();
      inProgress -= 1;
      if (item === "b") throw withoutResponse();
    },
    isStopped: () => false,
    onResult: (item, result: Failure | null) => results.push([item, result?.code ?? "done"]),
  });
  expect(most).toBe(3);
  expect(results.toSorted()).toEqual(
    [..."abcdefg"].map((item) => [item, item === "b" ? "connection_failed" : "done"]),
  );
});

test("after a stop nothing more is sent", async () => {
  const sent: string[] = [];
  await runBulk([..."abcdefg"], {
    send: async (item) => sent.push(item),
    isStopped: () => sent.length >= 2,
    onResult: () => undefined,
  });
  expect(sent.length).toBeLessThan(4);
});

test("a range has both of its ends, in either direction", () => {
  const rows = ["a", "b", "c", "d"];
  expect(rangeOf(rows, "b", "d")).toEqual(["b", "c", "d"]);
  expect(rangeOf(rows, "d", "b")).toEqual(["b", "c", "d"]);
  expect(rangeOf(rows, "c", "c")).toEqual(["c"]);
});

test("without a first row, or after it has gone, only the last one counts", () => {
  expect(rangeOf(["a", "b"], undefined, "b")).toEqual(["b"]);
  expect(rangeOf(["a", "b"], "gone", "b")).toEqual(["b"]);
});
