// The source of the release before this one, with its packages, for tests that run both. tests/previous-release.json names
// it by its commit, because a clone may have no tags. It is taken from the repository's history once and kept in .cache.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { ROOT, SERVICES } from "@tradepost/devstack";

export interface PreviousRelease {
  readonly version: string;
  readonly commit: string;
  /** Why its source is not available, or undefined. A copy of the files without the history, or a machine without git. */
  readonly unavailable: string | undefined;
  /** Resolves to the folder of its source. */
  provide(): Promise<string>;
}

/** Resolves to the previous release. Rejects if the history is complete and does not have its commit. */
export async function previousRelease(): Promise<PreviousRelease> {
  const { version, commit } = JSON.parse(
    readFileSync(path.join(ROOT, "tests/previous-release.json"), "utf8"),
  ) as { version: string; commit: string };
  const folder = path.join(ROOT, ".cache/releases", commit);
  const unavailable = existsSync(folder) ? undefined : await reasonWithout(commit);
  return { version, commit, unavailable, provide: () => provide(commit, folder) };
}

async function reasonWithout(commit: string): Promise<string | undefined> {
  if (!existsSync(path.join(ROOT, ".git"))) return "this copy of the repository has no history";
  if ((await git(["--version"])).code !== 0) return "git is not installed";
  if ((await git(["cat-file", "-e", `${commit}^{commit}`])).code === 0) return undefined;
  const shallow = await git(["rev-parse", "--is-shallow-repository"]);
  if (shallow.output.trim() === "true") return "this clone is shallow: run `git fetch --unshallow`";
  throw new Error(
    `tests/previous-release.json names the commit ${commit}, which this repository does not have`,
  );
}

async function provide(commit: string, folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  // Under another name until it is complete: another run may do the same.
  const unfinished = mkdtempSync(`${folder}.`);
  const source = path.join(unfinished, "source");
  mkdirSync(source);
  // An index of its own, so that the one of this clone stays as it is.
  const index = { GIT_INDEX_FILE: path.join(unfinished, "index") };
  await done("git read-tree", git(["read-tree", commit], index));
  await done("git checkout-index", git(["checkout-index", "--all", `--prefix=${source}/`], index));
  await done("pnpm install", install(source));
  try {
    renameSync(source, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  rmSync(unfinished, { recursive: true, force: true });
  return folder;
}

/** Installs what its services and its operators' commands need to run. Most packages are in the store already. */
function install(source: string): Promise<Ran> {
  const { packageManager } = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  const filters = [...SERVICES, "ops"].flatMap((name) => ["--filter", `@tradepost/${name}...`]);
  const options = ["--frozen-lockfile", "--prefer-offline", "--ignore-scripts"];
  const args = ["-y", packageManager.split("+")[0], "install", ...options, ...filters];
  return run("npx", args, source, { CI: "true", npm_config_loglevel: "error" });
}

interface Ran {
  readonly code: number | null;
  readonly output: string;
}

/** The repository may belong to another user, as in a container. */
function git(args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return run("git", ["-c", "safe.directory=*", ...args], ROOT, env);
}

function run(program: string, args: string[], cwd: string, env: Record<string, string>): Promise<Ran> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 1, output: error.message }));
    child.once("close", (code) => resolve({ code, output }));
  });
}

async function done(what: string, ran: Promise<Ran>): Promise<void> {
  const { code, output } = await ran;
  if (code !== 0) throw new Error(`${what} failed: ${output}`);
}
