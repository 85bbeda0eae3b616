// Compares the API description with the last release's, which it reads from the git history.
import { expect, test } from "@jest/globals";
import { breakingChanges } from "@tradepost/api-description";
import { previousReleaseInHistory, runGit } from "@tradepost/devstack";
import { apiDescription } from "../src/api-description.ts";

const released = await previousReleaseInHistory();
const testIfAvailable = released.unavailable === undefined ? test : test.skip;
const reason = released.unavailable === undefined ? "" : ` (NOT TESTED: ${released.unavailable})`;
if (reason !== "")
  console.error(`The API is not compared with release ${released.version}: ${released.unavailable}.`);

// Intended breaking changes. The changelog has a line for each, with who is affected. A release empties this list
// (CONTRIBUTING.md).
const ON_PURPOSE: readonly string[] = [];

testIfAvailable(
  `no change since the last release breaks a client, but those made on purpose${reason}`,
  async () => {
    const description = JSON.parse(await runGit(["show", `${released.commit}:docs/openapi.json`])) as object;
    const changes = breakingChanges(description, apiDescription());
    expect([...changes].sort()).toEqual([...ON_PURPOSE].sort());
  },
);
