// The versions agree: the whole repository has one version, and the previous release is an earlier one.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../src/root.ts";

const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const versionIn = (file: string) => (JSON.parse(read(file)) as { version: string }).version;

test("all packages have the version of the repository, which the CHANGELOG has", () => {
  const folders = ["packages", "services", "tools"].flatMap((group) =>
    readdirSync(path.join(ROOT, group)).map((name) => `${group}/${name}`),
  );
  const version = versionIn("package.json");
  const versions = [...folders, "tests"].map((folder) => [folder, versionIn(`${folder}/package.json`)]);
  expect(versions).toEqual(versions.map(([folder]) => [folder, version]));
  expect(read("CHANGELOG.md")).toMatch(
    new RegExp(`^## ${version.replaceAll(".", "\\.")} - \\d{4}-\\d\\d-\\d\\d$`, "m"),
  );
});

test("tests/deploy/previous-release.json names a release by its whole commit", () => {
  expect(JSON.parse(read("tests/deploy/previous-release.json"))).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
});
