// The generated client has a method for every operation of the API description.
import { apiDescription } from "../src/api-description.ts";
import { METHODS } from "../src/client/methods.ts";
import { operationsOf } from "../src/client/operations.ts";

test("every operation has a method on the client, in tools/checks/src/client/methods.ts", () => {
  const operations = operationsOf(apiDescription());
  expect(operations.filter(({ place }) => place === null).map(({ id }) => id)).toEqual([]);
});

test("no method names an operation that does not exist, and none is named twice", () => {
  const ids = operationsOf(apiDescription()).map(({ id }) => id);
  const named = Object.values(METHODS).flatMap((methods) => Object.values(methods));
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});
