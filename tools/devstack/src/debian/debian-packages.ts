// Unpacks programs from the packages of Debian and its derivatives. This needs no rights, installs nothing and starts no service.
import { execFile } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { readdir } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../settings/root.ts";

const run = promisify(execFile);

type Log = (line: string) => void;

interface PackageOptions {
  readonly name: string;
  /** With its dependencies that are not installed. */
  readonly install: string;
  /** Further packages, unpacked even if they are installed. `options` are for apt. */
  readonly also?: (options: readonly string[]) => Promise<string[]>;
  readonly finish?: (tree: string) => void;
}

export const PROGRAM_DIRECTORIES = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/opt/homebrew/bin",
  "/opt/erlang/bin",
];

export function installedProgram(...names: readonly string[]): string | undefined {
  const files = names.flatMap((name) => PROGRAM_DIRECTORIES.map((directory) => path.join(directory, name)));
  return files.find((file) => existsSync(file));
}

/** Returns the reason for which packages cannot be fetched: the last lines of apt's output. */
export function fetchFault(error: unknown, lines = 1): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split("\n").slice(-lines).join(" ");
}

/**
 * Resolves to the tree in the cache; undefined if the system does not use such packages. Two processes may call it at the same
 * time. Rejects when the packages cannot be fetched.
 */
export async function unpackedPackages(options: PackageOptions, log: Log) {
  const tree = path.join(cacheDirectory(), `${options.name}-${process.arch}`);
  if (!existsSync(tree)) {
    if (installedProgram("apt-get") === undefined || installedProgram("dpkg") === undefined) return undefined;
    await unpack(tree, options, log);
  }
  const libraries = ["x86_64", "aarch64"].map((machine) => `${tree}/usr/lib/${machine}-linux-gnu`);
  return {
    /** Contains the files that an installation copies to `/`. */
    tree,
    libraryPath: libraries.filter((directory) => existsSync(directory)).join(":"),
  };
}

async function unpack(tree: string, options: PackageOptions, log: Log): Promise<void> {
  const work = mkdtempSync(`${tree}.`);
  try {
    const archives = await fetchPackages(work, options, log);
    const incomplete = path.join(work, "tree");
    mkdirSync(incomplete);
    await Promise.all(archives.map((archive) => run("dpkg", ["-x", archive, incomplete])));
    options.finish?.(incomplete);
    renameSync(incomplete, tree);
  } catch (error) {
    if (!existsSync(tree)) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Fetches package lists into `work` if the system's are missing or outdated. */
async function fetchPackages(work: string, packages: PackageOptions, log: Log): Promise<string[]> {
  try {
    return await download(work, packages, [], log);
  } catch {
    log("Fetching the lists of the distribution's packages …");
    const own = [`Dir::State::lists=${work}/lists`, `Dir::Cache=${work}/cache`, "APT::Sandbox::User=root"];
    const aptOptions = own.flatMap((option) => ["-o", option]);
    for (const directory of ["lists/partial", "cache/archives/partial"]) {
      mkdirSync(path.join(work, directory), { recursive: true });
    }
    await run("apt-get", [...aptOptions, "update"]);
    return await download(work, packages, aptOptions, log);
  }
}

async function download(
  work: string,
  packages: PackageOptions,
  aptOptions: string[],
  log: Log,
): Promise<string[]> {
  const archives = path.join(work, "archives");
  mkdirSync(archives, { recursive: true });
  const [missing, also = []] = await Promise.all([
    missingPackages(packages.install, aptOptions),
    packages.also?.(aptOptions),
  ]);
  const names = [...new Set([...missing, ...also])];
  const args = [...aptOptions, "-o", "APT::Sandbox::User=root", "download", ...names];
  const { stdout } = await run("apt-get", ["--print-uris", ...args]);
  const sizes = [...stdout.matchAll(/^\S+ \S+ (\d+)/gm)].map(([, bytes]) => Number(bytes));
  const megabytes = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000_000;
  log(
    `Fetching ${packages.install} from the distribution (${names.length} packages, ${megabytes.toFixed(1)} MB) …`,
  );
  await run("apt-get", args, { cwd: archives });
  return (await readdir(archives))
    .filter((name) => name.endsWith(".deb"))
    .map((name) => path.join(archives, name));
}

async function missingPackages(name: string, aptOptions: string[]): Promise<string[]> {
  const simulate = [...aptOptions, "--simulate", "--no-install-recommends", "install", name];
  const { stdout } = await run("apt-get", simulate, { env: { ...process.env, LC_ALL: "C" } });
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? "");
}

/** Returns a writable directory without a space in its path, because some programs' scripts break on one. */
function cacheDirectory(): string {
  const user = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "tradepost");
  const shared = path.join(os.tmpdir(), `tradepost-cache-${os.userInfo().uid}`);
  const found = [path.join(ROOT, ".cache"), user, shared].find(
    (directory) => !/\s/.test(directory) && isUsable(directory),
  );
  if (found === undefined)
    throw new Error(`There is no directory to unpack programs into: make ${user} writable.`);
  return found;
}

/** Programs are run from this directory, so it must belong to this user, even if another user's directory is writable. */
function isUsable(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    accessSync(directory, constants.W_OK);
    return statSync(directory).uid === os.userInfo().uid;
  } catch {
    return false;
  }
}
