// The generated files of packages/client, as `npm run docs` writes them.
import { expect, test } from "@jest/globals";
import { apiDescription } from "../src/api-description.ts";
import { outdatedClientFiles } from "../src/client/client-files.ts";

test("the client's generated files are up to date; npm run docs writes them", async () => {
  expect(await outdatedClientFiles(apiDescription())).toEqual([]);
});
