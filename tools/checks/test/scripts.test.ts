// The scripts of package.json work on a machine that has only Node and npm.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../src/root.ts";

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
};

test("every script installs the packages first", () => {
  for (const script of Object.values(scripts))
    expect(script).toMatch(/^node tools\/devstack\/bootstrap\.mjs /);
});

test("a package manager whose archive has another hash than in package.json is not run", async () => {
  const root = await mkdtemp(path.join(os.tmpdir(), "tradepost-bootstrap-"));
  try {
    for (const folder of ["packages", "services", "tools/devstack", "manager"])
      await mkdir(path.join(root, folder), { recursive: true });
    await copyFile(
      path.join(ROOT, "tools/devstack/bootstrap.mjs"),
      path.join(root, "tools/devstack/bootstrap.mjs"),
    );
    await writeFile(path.join(root, "manager/package.json"), '{"name":"manager","version":"1.0.0"}');
    const packageManager = `${path.join(root, "manager")}+sha512.${"0".repeat(128)}`;
    await writeFile(path.join(root, "package.json"), JSON.stringify({ packageManager }));
    const ran = promisify(execFile)(process.execPath, [
      path.join(root, "tools/devstack/bootstrap.mjs"),
      "--version",
    ]);
    await expect(ran).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("is not the one whose hash package.json has"),
    });
  } finally {
    await rm(root, { recursive: true });
  }
});
