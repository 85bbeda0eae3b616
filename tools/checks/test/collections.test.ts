// docs/collections contains every operation, and only variables that are set. tests/collections.test.ts runs it.
import { expect, test } from "@jest/globals";
import { apiDescription } from "../src/api-description.ts";
import { operationsOf } from "../src/client/operations.ts";
import { foldersOf, SETTINGS } from "../src/collections/requests.ts";

const requests = foldersOf(apiDescription()).flatMap((folder) => folder.requests);

test("every operation is a request", () => {
  expect(requests).toHaveLength(operationsOf(apiDescription()).length);
});

test("every variable is a setting or comes from a response; a session is chosen by hand", () => {
  const used = JSON.stringify(requests).matchAll(/\{\{(\w+)\}\}/g);
  const stored = requests.flatMap(({ stores }) => stores?.variable ?? []);
  const known = new Set([...Object.keys(SETTINGS), ...stored, "yesterday", "tomorrow"]);
  expect([...new Set([...used].map(([, name]) => name))].filter((name) => !known.has(name ?? ""))).toEqual([
    "sessionId",
  ]);
});
