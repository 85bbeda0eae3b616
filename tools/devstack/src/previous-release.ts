// The release before this one. tests/deploy/previous-release.json names it by its commit, because a clone may have no tags.
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./settings/root.ts";

const OUTPUT_BYTES_MAX = 64 << 20;

export interface ReleaseInHistory {
  readonly version: string;
  readonly commit: string;
  /** The reason why this copy of the repository does not have the commit; undefined if it does. */
  readonly unavailable: string | undefined;
}

/** Rejects if the history is complete and does not have the commit. */
export async function previousReleaseInHistory(): Promise<ReleaseInHistory> {
  const file = path.join(ROOT, "tests/deploy/previous-release.json");
  const { version, commit } = JSON.parse(readFileSync(file, "utf8")) as { version: string; commit: string };
  return { version, commit, unavailable: await reasonWithout(commit) };
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

/** Resolves to the standard output. Rejects if git fails. The repository may belong to another user, as in a container. */
export async function runGit(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-c", "safe.directory=*", ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  return stdout;
}
