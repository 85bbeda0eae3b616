// Finds an installed pgbench, or unpacks the distribution's package on Debian and its derivatives.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "@tradepost/devstack";

export interface Program {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
}

const DIRECTORIES = [
  "/usr/local/bin",
  "/usr/bin",
  "/opt/homebrew/opt/postgresql@17/bin",
  "/opt/homebrew/bin",
];
const SYSTEM = "/usr/lib/postgresql";

/** Rejects when pgbench is neither installed nor available as a package. */
export async function findPgbench(): Promise<Program> {
  const installed = [...versions(SYSTEM), ...DIRECTORIES]
    .map((directory) => path.join(directory, "pgbench"))
    .find((file) => runs(file));
  if (installed !== undefined) return { command: installed, environment: {} };
  const unpacked = await unpackedPackages({ name: "pgbench", install: "postgresql" }, console.log);
  const command = versions(path.join(unpacked?.tree ?? "", SYSTEM))
    .map((directory) => path.join(directory, "pgbench"))
    .find((file) => existsSync(file));
  if (unpacked === undefined || command === undefined) {
    throw new Error("pgbench, the baseline, is not available: install the Postgres server programs.");
  }
  return { command, environment: { LD_LIBRARY_PATH: unpacked.libraryPath } };
}

/** The directories of the installed versions' programs, newest first. */
function versions(directory: string): string[] {
  const found = existsSync(directory) ? readdirSync(directory).sort((a, b) => Number(b) - Number(a)) : [];
  return found.map((version) => path.join(directory, version, "bin"));
}

function runs(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    execFileSync(file, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
