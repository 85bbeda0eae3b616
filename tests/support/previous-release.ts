// The previous release. tests/deploy/previous-release.json names it by its commit, because a clone may have no tags.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT, SERVICES } from "@tradepost/devstack";

const OUTPUT_BYTES_MAX = 64 << 20;

/** Rejects if the history is complete and does not have the commit. `skipped` begins the message if it is not available. */
export async function previousRelease(skipped: string) {
  const file = path.join(ROOT, "tests/deploy/previous-release.json");
  const { version, commit } = JSON.parse(readFileSync(file, "utf8")) as { version: string; commit: string };
  const folder = path.join(ROOT, ".cache/releases", commit);
  const isProvided = existsSync(folder);
  const reason = isProvided ? undefined : await reasonWithout(commit);
  if (reason !== undefined) console.error(`${skipped} release ${version}: ${reason}.`);
  return {
    version,
    isAvailable: reason === undefined,
    /** For the names of tests: why this copy of the repository does not have it. */
    note: reason === undefined ? "" : ` (NOT TESTED: ${reason})`,
    read: async (name: string) =>
      isProvided
        ? readFileSync(path.join(folder, name), "utf8")
        : await runGit(["show", `${commit}:${name}`]),
    /** Resolves with the folder of the source, with its packages. It is taken from the history once and kept in .cache. */
    provide: () => provide(commit, folder),
  };
}

async function reasonWithout(commit: string): Promise<string | undefined> {
  if (!existsSync(path.join(ROOT, ".git"))) return "this copy of the repository has no history";
  if (!(await succeeds(["--version"]))) return "git is not installed";
  if (await succeeds(["cat-file", "-e", `${commit}^{commit}`])) return undefined;
  if ((await runGit(["rev-parse", "--is-shallow-repository"])).trim() === "true")
    return "this clone is shallow: run `git fetch --unshallow`";
  throw new Error(
    `tests/deploy/previous-release.json names the commit ${commit}, which this repository does not have`,
  );
}

function succeeds(args: readonly string[]): Promise<boolean> {
  return runGit(args).then(
    () => true,
    () => false,
  );
}

/** Resolves with the standard output. Rejects if git fails. The repository may belong to another user, as in a container. */
async function runGit(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-c", "safe.directory=*", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return stdout;
}

async function provide(commit: string, folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(path.dirname(folder), { recursive: true });
  // The folder has another name until it is complete, because another run may create it too.
  const unfinished = mkdtempSync(`${folder}.`);
  const source = path.join(unfinished, "source");
  mkdirSync(source);
  // A separate index, so that this clone's index does not change.
  const index = { GIT_INDEX_FILE: path.join(unfinished, "index") };
  await runGit(["read-tree", commit], index);
  await runGit(["checkout-index", "--all", `--prefix=${source}/`], index);
  await install(source);
  try {
    renameSync(source, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  rmSync(unfinished, { recursive: true, force: true });
  return folder;
}

/** Installs the packages that the services and the operators' commands need. Most are already in the store. */
async function install(source: string): Promise<void> {
  const { packageManager } = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8"));
  const filters = [...SERVICES, "ops"].flatMap((name) => ["--filter", `@tradepost/${name}...`]);
  const options = ["--frozen-lockfile", "--prefer-offline", "--ignore-scripts"];
  const args = ["-y", packageManager.split("+")[0], "install", ...options, ...filters];
  const env = { ...process.env, CI: "true", npm_config_loglevel: "error" };
  await promisify(execFile)("npx", args, { cwd: source, env, maxBuffer: OUTPUT_BYTES_MAX });
}
