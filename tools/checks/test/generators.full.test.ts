// Each command of docs/generate-a-client.md generates TypeScript that compiles strictly, together with a program that omits all
// optional parts of requests.
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { API_DESCRIPTION_FILE } from "../src/api-description.ts";

const run = promisify(execFile);
const BINARIES = path.resolve(import.meta.dirname, "../node_modules/.bin");
const PAGE = path.resolve(import.meta.dirname, "../../../docs/generate-a-client.md");

const ORDER = `{
  customerId: "0198c5a2-0000-7000-8000-000000000004",
  channel: "storefront",
  currency: "USD",
  items: [{ sku: "MUG-BLUE", name: "Mug, blue", quantity: 3, unitPrice: 19.99 }],
}`;

const PROGRAMS: Readonly<Record<string, string>> = {
  "openapi-typescript": `import type { paths } from "./api";
    type Body = paths["/v1/orders"]["post"]["requestBody"]["content"]["application/json"];
    export const order: Body = ${ORDER};`,
  "openapi-ts": `import { placeOrder } from "./client";
    const { data } = await placeOrder({ body: ${ORDER} });
    export const orderNumber: string | undefined = data?.data.orderNumber;`,
};

const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "preserve",
  types: [],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "generator-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(Object.entries(PROGRAMS))("%s", async (generator, program) => {
  const page = await readFile(PAGE, "utf8");
  const commands = [...page.matchAll(/`npx (?:-p \S+ )*(\S+) ([^`]+)`/g)];
  const command = commands.find(([, name]) => name === generator);
  await copyFile(API_DESCRIPTION_FILE, path.join(folder, "openapi.json"));
  await run(path.join(BINARIES, generator), command?.[2]?.split(" ") ?? [], { cwd: folder });

  await writeFile(path.join(folder, "program.ts"), program);
  const options = { compilerOptions: COMPILER_OPTIONS, files: ["program.ts"] };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(options));
  const faults = await run(path.join(BINARIES, "tsc"), ["-p", folder]).then(
    () => "",
    ({ stdout }) => stdout,
  );
  expect(faults).toBe("");
});
