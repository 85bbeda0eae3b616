// @tradepost/client as its users have it: the package that the gateway serves installs although no registry has it, is complete,
// typed and runs the programs of its README.
import { execFile } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { createClient, type Tradepost } from "@tradepost/client";
import { packClient, ROOT } from "@tradepost/devstack";
import { installClient } from "../support/install-client.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";

const run = promisify(execFile);
const readme = readFileSync(path.join(ROOT, "packages/client/README.md"), "utf8");
const programs = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);

let tenant: TestTenant;
let tradepost: Tradepost;

const tarball = await packClient();
const platform = await startTestPlatform({ CLIENT_PACKAGE_FILE: tarball });
const { project, client: installed } = await installClient(`${platform.url}/client.tgz`);
programs.forEach((code, index) => {
  writeFileSync(path.join(project, `program-${index}.ts`), code);
});
afterAll(() => platform.stop());
beforeEach(async () => {
  tenant = await platform.createTenant();
  tradepost = createClient({ url: platform.url, apiKey: tenant.apiKey });
});

describe("the package", () => {
  const manifestOf = () => JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));
  const print = async (code: string, ...flags: string[]) =>
    (await run(process.execPath, [...flags, "-e", code], { cwd: project })).stdout;

  test("has the program, a README, a licence, everything that its manifest names, and no tests", async () => {
    const { stdout } = await run("npx", ["--no-install", "tradepost", "--help"], { cwd: project });
    expect(stdout).toContain("listen");
    const { license, exports, bin, version } = manifestOf();
    expect(license).toBe("UNLICENSED");
    const entries = Object.values<Record<string, string>>(exports).flatMap(Object.values);
    for (const file of ["README.md", ...Object.values<string>(bin), ...entries])
      expect([file, existsSync(path.join(installed, file))]).toEqual([file, true]);
    expect(readFileSync(path.join(installed, "dist/version.js"), "utf8")).toContain(`"${version}"`);
    expect(readdirSync(installed, { recursive: true }).filter((file) => /test/.test(String(file)))).toEqual(
      [],
    );
  });

  test("needs packages of a registry only", () => {
    const dependencies: Record<string, string> = manifestOf().dependencies;
    expect(Object.keys(dependencies).filter((name) => name.startsWith("@tradepost/"))).toEqual([]);
    for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
  });

  test("is imported and required by programs outside the repository", async () => {
    const program = `import { createClient } from "@tradepost/client";
      const { description } = createClient({ url: ${JSON.stringify(platform.url)}, apiKey: "sk_live_none" });
      console.log((await description.get()).info.title)`;
    expect(await print(program, "--input-type=module")).toBe("Tradepost\n");
    expect(await print(`console.log(typeof require("@tradepost/client").createClient)`)).toBe("function\n");
  });

  test("has an entry for webhooks that imports nothing", async () => {
    const text = readFileSync(path.join(installed, "dist/webhooks.js"), "utf8");
    expect(text).not.toMatch(/\bimport\b|\brequire\(|\bBuffer\b|\bprocess\b/);
    const program = `import { verifyWebhook } from "@tradepost/client/webhooks"; console.log(typeof verifyWebhook)`;
    expect(await print(program, "--input-type=module")).toBe("function\n");
  });
});

describe("the programs of the README", () => {
  test("compile under the strictest settings", async () => {
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: false, types: ["node"], target: "es2023" },
      ...{ lib: ["es2023"], module: "nodenext" },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    };
    writeFileSync(
      path.join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["*.ts"] }),
    );
    const tsc = path.join(ROOT, "node_modules/.bin/tsc");
    const { stdout } = await run(tsc, ["-p", project, "--pretty", "false"]).catch((error) => error);
    expect(stdout).toBe("");
  });

  // The Node that runs the tests, and the one that npm runs on, which may be older.
  const nodes = new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath]);

  test.each([...nodes])("begin with one of at most ten lines, which places an order, on %s", async (node) => {
    const lines = programs[0]?.split("\n").filter((line) => line.trim() !== "") ?? [];
    expect(lines.length).toBeLessThanOrEqual(10);
    // The program is also valid JavaScript, so any Node runs it.
    cpSync(path.join(project, "program-0.ts"), path.join(project, "first-order.js"));
    const env = { ...process.env, TRADEPOST_URL: platform.url, TRADEPOST_API_KEY: tenant.apiKey };
    const { stdout } = await run(node, ["first-order.js"], { cwd: project, env });
    expect(stdout).toBe("order 1001: 59.97 USD\n");
    expect(await tradepost.orders.list().toArray({ limit: 5 })).toMatchObject([
      { orderNumber: "1001", total: 59.97 },
    ]);

    const program = path.join(project, "node_modules/@tradepost/client/dist/cli/tradepost.js");
    const refused = run(node, [program, "listen", "--forward-to", "http://192.0.2.1"], { cwd: project, env });
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining("--allow-remote") });
  });
});

const order = (sku: string) => ({
  customerId: tenant.customerId,
  items: [{ sku, name: "Mug", unitPrice: 10 }],
});
test("of two who change the same order, the second learns of the first, and of its state", async () => {
  const { id, version } = await tradepost.orders.place(order("B-1"));
  await tradepost.orders.update(id, { customerNote: "first" }, { ifMatch: version });
  const second = tradepost.orders.update(id, { customerNote: "second" }, { ifMatch: version });
  await expect(second).rejects.toMatchObject({ code: "version_mismatch", status: 412 });
  const { status, etag, data } = await tradepost.request("getOrder", { path: { id } });
  expect([status, etag, data.customerNote]).toEqual([200, `"${data.version}"`, "first"]);
  const unchanged = await tradepost.request("getOrder", { path: { id }, ifNoneMatch: data.version });
  expect([unchanged.status, unchanged.data]).toEqual([304, undefined]);
  const fields = { state: { status: "placed" } };
  await expect(tradepost.orders.deliver(id)).rejects.toMatchObject({ code: "invalid_transition", fields });
});

test("a file is uploaded, read back, and linked", async () => {
  const file = new File(["hello"], "größe.txt", { type: "text/plain" });
  const media = await tradepost.media.upload(file);
  expect(media).toMatchObject({ filename: "größe.txt", sizeBytes: 5, status: "ready" });
  expect(Buffer.from(await tradepost.media.read(media.id)).toString()).toBe("hello");
  expect((await tradepost.media.link(media.id)).url).toContain(media.id);
});
