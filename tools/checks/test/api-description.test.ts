// docs/openapi.json: up to date, and without gaps.
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import { descriptionFaults } from "@tradepost/openapi";
import { API_DESCRIPTION_FILE, apiDescription, apiDescriptionText } from "../src/api-description.ts";

test("the description in the repository is up to date; npm run docs writes it", () => {
  const isUpToDate = readFileSync(API_DESCRIPTION_FILE, "utf8") === apiDescriptionText();
  expect(isUpToDate).toBe(true);
});

test("every body, parameter and response has a schema that says something, and every parameter a description", () => {
  expect(descriptionFaults(apiDescription())).toEqual([]);
});

test("the description is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const result = await validator.validate(apiDescription());
  expect(result).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});
