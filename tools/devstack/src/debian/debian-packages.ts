// Unpacks programs from the packages of Debian and its relatives, without installing them: no rights are needed, no
// service is set up, and the machine's own package state is not touched.
import { execFile, execFileSync } from "node:child_process";
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

const run = promisify(execFile);
const REPOSITORY = path.resolve(import.meta.dirname, "../../../..");

export interface Unpacked {
  /** Holds what would lie in `/`. */
  readonly tree: string;
  /** For LD_LIBRARY_PATH. */
  readonly libraryPath: string;
}

export interface WantedPackages {
  /** What the tree is called in the cache. */
  readonly name: string;
  /** The package that would be installed; what it needs and this machine lacks comes with it. */
  readonly install: string;
  /** Names further packages, needed even where they are installed. In: options for apt. */
  readonly also?: (options: readonly string[]) => Promise<string[]>;
  /** Has the last hand on the unpacked tree. */
  readonly finish?: (tree: string) => void;
}

/**
 * Out: the tree in our cache, fetched where it is not there yet; undefined where the system has no such packages.
 * May be called by two processes at once. Rejects where the packages cannot be had.
 */
export async function unpackedPackages(
  wanted: WantedPackages,
  say: (line: string) => void,
): Promise<Unpacked | undefined> {
  const tree = path.join(cacheDirectory(), `${wanted.name}-${process.arch}`);
  if (!existsSync(tree)) {
    if (!canRun("apt-get") || !canRun("dpkg")) return undefined;
    say(`Fetching ${wanted.install} from the distribution's packages …`);
    await unpack(tree, wanted);
  }
  const libraries = ["x86_64", "aarch64"].map((machine) => `${tree}/usr/lib/${machine}-linux-gnu`);
  return { tree, libraryPath: libraries.filter((directory) => existsSync(directory)).join(":") };
}

/** Appears whole or not at all. */
async function unpack(tree: string, wanted: WantedPackages): Promise<void> {
  const work = mkdtempSync(`${tree}.`);
  try {
    const archives = await fetchPackages(work, wanted);
    const incomplete = path.join(work, "tree");
    for (const archive of archives) await run("dpkg", ["-x", archive, incomplete]);
    wanted.finish?.(incomplete);
    renameSync(incomplete, tree);
  } catch (error) {
    if (!(await holdsTree(tree))) throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** First with the machine's package lists; where those are missing or out of date, with fresh ones of our own. */
async function fetchPackages(work: string, wanted: WantedPackages): Promise<string[]> {
  try {
    return await download(work, wanted, []);
  } catch {
    const own = [`Dir::State::lists=${work}/lists`, `Dir::Cache=${work}/cache`, "APT::Sandbox::User=root"];
    const options = own.flatMap((option) => ["-o", option]);
    for (const directory of ["lists/partial", "cache/archives/partial"]) {
      mkdirSync(path.join(work, directory), { recursive: true });
    }
    await run("apt-get", [...options, "update"]);
    return await download(work, wanted, options);
  }
}

async function download(work: string, wanted: WantedPackages, options: string[]): Promise<string[]> {
  const archives = path.join(work, "archives");
  mkdirSync(archives, { recursive: true });
  const missing = await missingPackages(wanted.install, options);
  const names = [...new Set([...missing, ...((await wanted.also?.(options)) ?? [])])];
  await run("apt-get", [...options, "-o", "APT::Sandbox::User=root", "download", ...names], {
    cwd: archives,
  });
  return (await readdir(archives))
    .filter((name) => name.endsWith(".deb"))
    .map((name) => path.join(archives, name));
}

/** What an installation would add to this machine. */
async function missingPackages(name: string, options: string[]): Promise<string[]> {
  const simulate = [...options, "--simulate", "--no-install-recommends", "install", name];
  const { stdout } = await run("apt-get", simulate, { env: { ...process.env, LC_ALL: "C" } });
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? "");
}

async function holdsTree(tree: string): Promise<boolean> {
  return readdir(tree).then(
    (entries) => entries.length > 0,
    () => false,
  );
}

/** A directory of ours that can be written. Some programs' own scripts break where their path holds a space. */
function cacheDirectory(): string {
  const user = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "tradepost");
  const shared = path.join(os.tmpdir(), `tradepost-cache-${os.userInfo().uid}`);
  const found = [path.join(REPOSITORY, ".cache"), user, shared].find(
    (place) => !/\s/.test(place) && isUsable(place),
  );
  if (found === undefined)
    throw new Error(`Programs need a directory to be unpacked into: make ${user} writable.`);
  return found;
}

/** Somebody else's directory will not do, even if it can be written: programs are run from it. */
function isUsable(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    accessSync(directory, constants.W_OK);
    return statSync(directory).uid === os.userInfo().uid;
  } catch {
    return false;
  }
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
