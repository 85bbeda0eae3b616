// Compares the API description with the last release's, which it reads from the git history.
import { readFileSync } from "node:fs";
import path from "node:path";
import { breakingChanges } from "@tradepost/api-description";
import { ROOT } from "@tradepost/devstack";
import { previousRelease } from "../support/previous-release.ts";

const FILE = "docs/openapi.json";

const released = await previousRelease("The API is not compared with");
const testIfAvailable = released.isAvailable ? test : test.skip;

// Intended breaking changes. The changelog has a line for each, with who is affected. A release empties this list
// (CONTRIBUTING.md).
const ON_PURPOSE: readonly string[] = [];
// New values of enumerations, which a client treats as "other" (docs/versioning.md). A release empties this list, too.
const NEW_VALUES =
  /value: may now be ("(changed|holder|partially_paid|cancel_and_refund|order\.\w+)"(, )?)+$/;

testIfAvailable(
  `no change since the last release breaks a client, but those made on purpose${released.note}`,
  async () => {
    const description = JSON.parse(await released.read(FILE)) as object;
    const current = JSON.parse(readFileSync(path.join(ROOT, FILE), "utf8")) as object;
    const changes = breakingChanges(description, current).filter((change) => !NEW_VALUES.test(change));
    expect([...changes].sort()).toEqual([...ON_PURPOSE].sort());
  },
);
