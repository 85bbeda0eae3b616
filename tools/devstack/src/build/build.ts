import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { step } from "../process/step.ts";
import { ROOT } from "../settings/root.ts";

type Log = (line: string) => void;

const PROJECT = path.join(ROOT, "services/dashboard");
const VITE = path.join(PROJECT, "node_modules/vite/bin/vite.js");

const SOURCES = [
  path.join(PROJECT, "src"),
  path.join(PROJECT, "index.html"),
  path.join(PROJECT, "vite.config.ts"),
  path.join(ROOT, "packages/client/src/generated/operations.ts"),
  path.join(ROOT, "packages/client/src/webhooks.ts"),
  path.join(ROOT, "docs/receivers"),
  path.join(ROOT, "pnpm-lock.yaml"),
];

export function buildDashboard(log: Log = () => {}): Promise<string> {
  return buildOnce({
    name: "dashboard",
    sources: SOURCES,
    build: (directory) =>
      step(log, "Building the dashboard", async () => {
        const args = [VITE, "build", "--outDir", directory, "--emptyOutDir", "--logLevel", "warn"];
        // Set explicitly, because tests have another NODE_ENV.
        const env = { ...process.env, NODE_ENV: "production" };
        await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env });
      }),
  });
}

const PACKAGE = path.join(ROOT, "packages/client");
const FILES = ["package.json", "README.md", "tsconfig.build.json", "write-api-types.mjs", "src"];
const BASE_SETTINGS = path.join(ROOT, "tsconfig.base.json");
/** The name in the gateway's path. The name that npm gives the file contains the version. */
const TARBALL = "client.tgz";

export async function packClient(log: Log = () => {}): Promise<string> {
  const directory = await buildOnce({
    name: "client",
    sources: [...FILES.map((name) => path.join(PACKAGE, name)), BASE_SETTINGS],
    build: (directory) => step(log, "Packing the client", () => pack(directory)),
  });
  return path.join(directory, TARBALL);
}

/** Packs a copy, because programs that pack at the same time would write the same `dist`. */
async function pack(directory: string): Promise<void> {
  const packages = path.join(directory, "packages");
  const copy = path.join(packages, "client");
  for (const name of FILES) cpSync(path.join(PACKAGE, name), path.join(copy, name), { recursive: true });
  cpSync(BASE_SETTINGS, path.join(directory, path.basename(BASE_SETTINGS)));
  // The compiler is in the repository's node_modules, in which the copy is too.
  symlinkSync(path.join(PACKAGE, "node_modules"), path.join(copy, "node_modules"));
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent", "--offline"], { cwd: copy });
  const name = stdout.trim().split("\n").at(-1) ?? "";
  renameSync(path.join(copy, name), path.join(directory, TARBALL));
  rmSync(packages, { recursive: true });
}

interface Build {
  readonly name: string;
  /** Only their changes cause a new build. */
  readonly sources: readonly string[];
  readonly build: (directory: string) => Promise<void>;
}

/** Resolves to the directory with the results. */
async function buildOnce({ name, sources, build }: Build): Promise<string> {
  const finished = path.join(ROOT, ".cache", name, fingerprint(sources));
  if (existsSync(finished)) return finished;
  const unfinished = `${finished}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  await build(unfinished);
  try {
    renameSync(unfinished, finished);
  } catch (error) {
    // Another program was faster, and built the same files.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(finished)) throw error;
  }
  return finished;
}

function fingerprint(sources: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesIn))
    hash.update(`${path.relative(ROOT, file)}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function filesIn(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"));
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
}
