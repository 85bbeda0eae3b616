import { expect, test } from "@jest/globals";
import { checkStatuses } from "../src/load/loops.ts";

test("accepts a run with at most 1 % unexpected responses", () => {
  const statuses = new Map([
    [201, 995],
    [503, 5],
  ]);
  expect(checkStatuses(statuses, 201)).toBe(995);
});

test("rejects a run with more unexpected responses", () => {
  const statuses = new Map([
    [201, 900],
    [429, 90],
    [0, 10],
  ]);
  expect(() => checkStatuses(statuses, 201)).toThrow(
    "expected responses with 201, got 900 × 201, 90 × 429, 10 × no response",
  );
});

test("rejects a run without responses", () => {
  expect(() => checkStatuses(new Map(), 201)).toThrow("got none");
});
