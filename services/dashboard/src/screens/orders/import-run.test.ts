import { Failure, withoutResponse } from "../../api/failure.ts";
import { type Part, partsOf, runImport } from "./import-run.ts";

const REST = { name: "1", rows: [], steps: [], customer: undefined, said: new Map() };
const itemOf = (order: object) => ({ ...REST, order });
const PARTS: Part[] = [
  { items: [itemOf({})], key: "a" },
  { items: [itemOf({})], key: "b" },
];

/** Responds to each request with the next outcome. */
async function run(outcomes: readonly (Failure | "done")[], stopAfter = Infinity) {
  const sent: string[] = [];
  const settled: string[] = [];
  const waits: (number | boolean)[] = [];
  const end = await runImport(PARTS, {
    send: async ({ key }) => {
      const outcome = outcomes[sent.push(key) - 1];
      if (outcome instanceof Failure) throw outcome;
      return [];
    },
    pause: async (ms) => void waits.push(ms),
    isStopped: () => sent.length >= stopAfter,
    onPart: ({ key }) => settled.push(key),
    onWaiting: (isWaiting) => waits.push(isWaiting),
  }).then(
    () => "over",
    (error: unknown) => (error as Failure).code,
  );
  return { sent, settled, waits, end };
}

test("a part without a response is sent again with the same key", async () => {
  const { sent, settled, waits, end } = await run(["done", withoutResponse(), "done"]);
  expect({ sent, settled, end }).toEqual({ sent: ["a", "b", "b"], settled: ["a", "b"], end: "over" });
  expect(waits).toEqual([false, true, 3_000, false]);
});

test("a refusal ends it, and what was done before stays", async () => {
  const fields = { code: "forbidden", message: "", requestId: null, details: [], retryAfterSeconds: null };
  const { sent, settled, end } = await run(["done", new Failure({ status: 403, ...fields })]);
  expect({ sent, settled, end }).toEqual({ sent: ["a", "b"], settled: ["a"], end: "forbidden" });
});

test("it can be stopped, also while it waits", async () => {
  expect(await run(["done"], 1)).toMatchObject({ sent: ["a"], settled: ["a"], end: "over" });
  expect(await run([withoutResponse()], 1)).toMatchObject({ sent: ["a"], settled: [], end: "over" });
});

test("sends at most 100 orders together, fewer if they are large", () => {
  const sizes = (orders: object[]) => partsOf(orders.map(itemOf)).map(({ length }) => length);
  expect(sizes(Array.from({ length: 250 }, () => ({})))).toEqual([100, 100, 50]);
  expect(sizes(Array.from({ length: 5 }, () => ({ note: "x".repeat(200_000) })))).toEqual([2, 2, 1]);
  expect(sizes([])).toEqual([]);
});
