// @tradepost/client as a package: what would be published is complete, typed, and small where it has to be.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { publint } from "publint";
import { installClient, packClient, programOf } from "./support/pack-client.ts";

const run = promisify(execFile);
let tarball: string;
let installed: string;

beforeAll(async () => {
  tarball = await packClient();
  installed = path.join(await installClient(tarball), "node_modules/@tradepost/client");
});

test("publint finds nothing", async () => {
  const bytes = readFileSync(tarball);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  expect(messages).toEqual([]);
});

test("the types resolve as the code does, for programs that import modules", async () => {
  const attw = programOf("@arethetypeswrong/cli", "dist/index.js");
  // Exits with another code than 0 if it finds something.
  await run(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-definitely-typed"]);
});

test("it needs no package of the platform, and says its version to the platform", () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith("@tradepost/"))).toEqual([]);
  // A range that a registry knows, not one of this repository.
  for (const range of Object.values(manifest.dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
  expect(readFileSync(path.join(installed, "dist/version.js"), "utf8")).toContain(`"${manifest.version}"`);
});

test("no tests are published", () => {
  const files = readdirSync(installed, { recursive: true }).map(String);
  expect(files).toContain("dist/index.js");
  expect(files.filter((file) => /test/.test(file))).toEqual([]);
});

test("webhooks imports nothing", async () => {
  const text = readFileSync(path.join(installed, "dist/webhooks.js"), "utf8");
  expect(text).not.toMatch(/\bimport\b|\brequire\(|\bBuffer\b|\bprocess\b/);
  const program = `import { verifyWebhook } from "@tradepost/client/webhooks"; console.log(typeof verifyWebhook)`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
    cwd: path.join(installed, "../../.."),
  });
  expect(stdout).toBe("function\n");
});

test("a program that uses require can load it too", async () => {
  const program = `console.log(typeof require("@tradepost/client").createClient)`;
  const { stdout } = await run(process.execPath, ["-e", program], { cwd: path.join(installed, "../../..") });
  expect(stdout).toBe("function\n");
});
