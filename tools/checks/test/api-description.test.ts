// docs/openapi.json is valid and has no gaps, and the generated client has a method for each of its operations.
import { Validator } from "@seriousme/openapi-schema-validator";
import { descriptionFaults } from "@tradepost/api-description";
import { apiDescription } from "../src/api-description.ts";
import { METHODS } from "../src/client/methods.ts";
import { operationsOf } from "../src/client/operations.ts";

test("every body, parameter and response has a schema that says something, and every parameter a description", () => {
  expect(descriptionFaults(apiDescription())).toEqual([]);
});

test("the description is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(apiDescription());
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

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
