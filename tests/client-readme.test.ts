// The programs in the README of @tradepost/client compile strictly in an empty project, and the first one places an order.
import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createClient } from "@tradepost/client";
import { packClient } from "@tradepost/devstack";
import { installClient } from "./support/install-client.ts";
import { startTestPlatform, type TestPlatform } from "./support/test-platform.ts";

const run = promisify(execFile);
const ROOT = path.resolve(import.meta.dirname, "..");
const README = path.join(ROOT, "packages/client/README.md");
const programs = [...readFileSync(README, "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = ""]) => code,
);

let platform: TestPlatform;
let project: string;

beforeAll(async () => {
  const tarball = await packClient();
  [platform, { project }] = await Promise.all([startTestPlatform(), installClient(tarball)]);
  programs.forEach((code, index) => {
    writeFileSync(path.join(project, `program-${index}.ts`), code);
  });
});
afterAll(() => platform.stop());

test("the first program has at most ten lines", () => {
  const [first = ""] = programs;
  expect(first.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(10);
});

test("all programs compile under the strictest settings", async () => {
  const compilerOptions = {
    ...{
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
      target: "es2023",
      lib: ["es2023"],
    },
    ...{ module: "nodenext", exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  };
  writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = path.join(ROOT, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, ["-p", project, "--pretty", "false"]).catch((error) => error);
  expect(stdout).toBe("");
});

// The Node that runs the tests, and the one that npm runs on, which may be as old as 20.
const nodes = new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath]);

test.each([...nodes])("the first program places an order, on %s", async (node) => {
  const tenant = await platform.createTenant();
  // The program is also valid JavaScript, so any Node runs it.
  cpSync(path.join(project, "program-0.ts"), path.join(project, "first-order.js"));
  const env = { ...process.env, TRADEPOST_URL: platform.url, TRADEPOST_API_KEY: tenant.apiKey };
  const { stdout } = await run(node, ["first-order.js"], { cwd: project, env });
  expect(stdout).toBe("order 1001: 59.97 USD\n");
  const { orders } = createClient({ url: platform.url, apiKey: tenant.apiKey });
  expect(await orders.list().toArray({ limit: 5 })).toMatchObject([{ orderNumber: "1001", total: 59.97 }]);

  const program = path.join(project, "node_modules/@tradepost/client/dist/cli/tradepost.js");
  const help = await run(node, [program, "listen", "--help"], { cwd: project });
  expect(help.stdout).toContain("--forward-to <url>");
  const refused = run(node, [program, "listen", "--forward-to", "http://192.0.2.1"], { cwd: project, env });
  await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining("--allow-remote") });
});
