// docs/openapi.json is valid and has no gaps.
import { Validator } from "@seriousme/openapi-schema-validator";
import { descriptionFaults } from "@tradepost/api-description";
import { apiDescription } from "../src/api-description.ts";

test("every body, parameter and response has a schema that says something, and every parameter a description", () => {
  expect(descriptionFaults(apiDescription())).toEqual([]);
});

test("the description is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(apiDescription());
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});
