// Provides the source of the previous release with its packages, for tests that run both releases. It is taken from the git
// history once and kept in .cache.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { previousReleaseInHistory, type ReleaseInHistory, ROOT, runGit, SERVICES } from "@tradepost/devstack";

export interface PreviousRelease extends ReleaseInHistory {
  /** Resolves with the folder of the source. */
  provide(): Promise<string>;
}

/** Resolves with the previous release. Rejects if the history is complete but lacks its commit. */
export async function previousRelease(): Promise<PreviousRelease> {
  const release = await previousReleaseInHistory();
  const folder = path.join(ROOT, ".cache/releases", release.commit);
  return {
    ...release,
    unavailable: existsSync(folder) ? undefined : release.unavailable,
    provide: () => provide(release.commit, folder),
  };
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
  await promisify(execFile)("npx", args, { cwd: source, env, maxBuffer: 64 << 20 });
}
