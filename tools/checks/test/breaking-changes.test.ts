// Compares the API description with that of the last release, docs/openapi-released.json.
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { breakingChanges } from "@tradepost/openapi";
import { apiDescription, RELEASED_DESCRIPTION_FILE } from "../src/api-description.ts";

// Each with a line in the changelog that says who is affected. A release empties the list: see CONTRIBUTING.md.
const ON_PURPOSE: readonly string[] = [];

test("no change since the last release breaks a client, but those made on purpose", () => {
  const released = JSON.parse(readFileSync(RELEASED_DESCRIPTION_FILE, "utf8")) as object;
  expect(breakingChanges(released, apiDescription())).toEqual(ON_PURPOSE);
});
