// Each case changes one thing in the counts of a run without violations.
import { violationsOf } from "../src/violations.ts";

const histories = { checked: { order: 2, delivery: 1 }, operations: 40, timelines: 2 };
const sound = {
  attempted: 3,
  acknowledged: 3,
  committed: 3,
  published: 3,
  delivered: 3,
  lost: 0,
  missing: 0,
  duplicated: 1,
  unexpected: 0,
  outOfOrder: 0,
  recoverySeconds: 0.1,
  failedRequests: {},
  unexpectedExits: 0,
  histories,
};

test("a sound run has no violation, with or without clients that record histories", () => {
  expect(violationsOf({}, sound)).toEqual([]);
  const { histories: _, ...withoutClients } = sound;
  expect(violationsOf({}, withoutClients)).toEqual([]);
});

// biome-ignore format: a table is read by its columns.
test.each<[string, object, string[]]>([
  ["a loss", { lost: 1 }, ["1 lost"]],
  ["an operation without a response", { acknowledged: 2 }, ["1 never acknowledged"]],
  ["a webhook without a commit", { unexpected: 2 }, ["2 unexpected"]],
  ["events in the wrong order", { outOfOrder: 1 }, ["1 out of order"]],
  ["a process that ended", { unexpectedExits: 1 }, ["1 unexpected process exits"]],
  ["no recovery", { recoverySeconds: null }, ["no recovery seen"]],
  ["no traffic", { attempted: 0, acknowledged: 0 }, ["no operation attempted"]],
  ["no history of one kind", { histories: { ...histories, checked: { order: 2, delivery: 0 } } }, ["no history of kind delivery checked"]],
  ["no history at all", { histories: { checked: { order: 0, delivery: 0 }, operations: 0, timelines: 0 } }, ["no history of kind order checked", "no history of kind delivery checked", "no operation recorded", "no timeline compared"]],
  ["no timeline", { histories: { ...histories, timelines: 0 } }, ["no timeline compared"]],
])("%s is a violation", (_, change, violations) => {
  expect(violationsOf({}, { ...sound, ...change })).toEqual(violations);
});

test("a refused request is a violation unless the fault may cause it", () => {
  const counts = { ...sound, failedRequests: { "0": 1, "500": 2, "503": 3 } };
  expect(violationsOf({ mayFailRequests: true }, counts)).toEqual(["2 responses with 500"]);
  expect(violationsOf({}, counts)).toEqual([
    ...["1 requests without a response", "2 responses with 500", "3 responses with 503"],
  ]);
});
