// @tradepost/client as a package: the tarball that the gateway serves installs although no registry has it, and is complete,
// typed, and small enough.
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { packClient } from "@tradepost/devstack";
import { publint } from "publint";
import { installClient, programOf } from "./support/install-client.ts";
import { startTestPlatform, type TestPlatform } from "./support/test-platform.ts";

const run = promisify(execFile);
let platform: TestPlatform;
let tarball: string;
let project: string;
let installed: string;

beforeAll(async () => {
  tarball = await packClient();
  platform = await startTestPlatform({ CLIENT_PACKAGE_FILE: tarball });
  ({ project, client: installed } = await installClient(`${platform.url}/client.tgz`));
});
afterAll(() => platform.stop());

test("the program runs after `npm install <gateway>/client.tgz`", async () => {
  const { stdout } = await run("npx", ["--no-install", "tradepost", "--help"], { cwd: project });
  expect(stdout).toContain("listen");
});

test("a program outside the repository imports it", async () => {
  const program = `import { createClient } from "@tradepost/client";
    const { description } = createClient({ url: ${JSON.stringify(platform.url)}, apiKey: "sk_live_none" });
    console.log((await description.get()).info.title)`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: project });
  expect(stdout).toBe("Tradepost\n");
});

test("has a README, a licence, and everything that its manifest names", () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  expect(manifest.license).toBe("UNLICENSED");
  const entries = Object.values<Record<string, string>>(manifest.exports).flatMap(Object.values);
  for (const file of ["README.md", ...Object.values<string>(manifest.bin), ...entries])
    expect([file, existsSync(path.join(installed, file))]).toEqual([file, true]);
});

test("publint finds nothing", async () => {
  const bytes = readFileSync(tarball);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
  expect(messages).toEqual([]);
});

test("the types resolve as the code does", async () => {
  const attw = programOf("@arethetypeswrong/cli", "dist/index.js");
  // The program exits with another code than 0 if it finds a fault. Being an ES module is not a fault, because Node's require
  // loads ES modules.
  const args = [tarball, "--ignore-rules", "cjs-resolves-to-esm", "--no-definitely-typed"];
  await run(process.execPath, [attw, ...args]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
});

test("it needs no package of the platform, and says its version to the platform", () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith("@tradepost/"))).toEqual([]);
  // Each range is one that a registry knows, not one of this repository.
  for (const range of Object.values(manifest.dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
  expect(readFileSync(path.join(installed, "dist/version.js"), "utf8")).toContain(`"${manifest.version}"`);
});

test("has no tests", () => {
  const files = readdirSync(installed, { recursive: true }).map(String);
  expect(files).toContain("dist/index.js");
  expect(files.filter((file) => /test/.test(file))).toEqual([]);
});

test("webhooks imports nothing", async () => {
  const text = readFileSync(path.join(installed, "dist/webhooks.js"), "utf8");
  expect(text).not.toMatch(/\bimport\b|\brequire\(|\bBuffer\b|\bprocess\b/);
  const program = `import { verifyWebhook } from "@tradepost/client/webhooks"; console.log(typeof verifyWebhook)`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { cwd: project });
  expect(stdout).toBe("function\n");
});

test("a program that uses require can load it too", async () => {
  const program = `console.log(typeof require("@tradepost/client").createClient)`;
  const { stdout } = await run(process.execPath, ["-e", program], { cwd: project });
  expect(stdout).toBe("function\n");
});
