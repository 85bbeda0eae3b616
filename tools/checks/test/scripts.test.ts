// The scripts of package.json work on a machine that has only Node and npm.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";

const { scripts } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../../../package.json"), "utf8"),
) as { scripts: Record<string, string> };

test("every script installs the packages first, except for format, which is for those who have them", () => {
  const bare = Object.keys(scripts).filter(
    (name) => !scripts[name]?.startsWith("node tools/devstack/bootstrap.mjs "),
  );
  expect(bare).toEqual(["format"]);
});
