// Builds the dashboard's files for a gateway on this machine, unless they have been built from the same sources before.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../settings/root.ts";

const PROJECT = path.join(ROOT, "services/dashboard");
const BUILDS = path.join(ROOT, ".cache/dashboard");
const VITE = path.join(PROJECT, "node_modules/vite/bin/vite.js");

/** The files and folders that a build is made from. */
const SOURCES = [
  path.join(PROJECT, "src"),
  path.join(PROJECT, "index.html"),
  path.join(PROJECT, "vite.config.ts"),
  path.join(ROOT, "packages/client/src/generated/operations.ts"),
  path.join(ROOT, "pnpm-lock.yaml"),
];

/** Resolves to the directory for DASHBOARD_DIR. Two programs may build at the same time. */
export async function buildDashboard(log: (line: string) => void = () => {}): Promise<string> {
  const finished = path.join(BUILDS, fingerprint());
  if (existsSync(finished)) return finished;
  log("Building the dashboard …");
  mkdirSync(BUILDS, { recursive: true });
  const unfinished = `${finished}.${process.pid}`;
  const args = [VITE, "build", "--outDir", unfinished, "--logLevel", "warn"];
  // Whatever this process is for: tests set another NODE_ENV.
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env });
  try {
    renameSync(unfinished, finished);
  } catch (error) {
    // Another program was faster, with the same files.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(finished)) throw error;
  }
  return finished;
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap(filesIn))
    hash.update(`${path.relative(ROOT, file)}\n`).update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function filesIn(source: string): string[] {
  if (!statSync(source).isDirectory()) return [source];
  const entries = readdirSync(source, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"));
  return files.map(({ parentPath, name }) => path.join(parentPath, name)).sort();
}
