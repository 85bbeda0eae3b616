// The source of another commit, in a git work tree of its own.
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@tradepost/devstack";

/** Returns the full name of a commit, or a sentence that says why it is not here. */
export async function findCommit(name: string): Promise<{ commit: string } | { refusal: string }> {
  try {
    return { commit: await git("rev-parse", "--verify", "--quiet", `${name}^{commit}`) };
  } catch {
    const isShallow = await git("rev-parse", "--is-shallow-repository").catch(() => undefined);
    if (isShallow === undefined) return { refusal: "--beside needs git and the repository's history." };
    const hint = isShallow === "true" ? " This clone is shallow: run `git fetch --unshallow`." : "";
    return { refusal: `There is no commit ${name} in this repository.${hint}` };
  }
}

/** `running` removes it. Its packages are installed by its own scripts. */
export async function checkOut(commit: string, folder: string, running: AsyncDisposableStack): Promise<void> {
  const adding = Promise.withResolvers<unknown>();
  running.defer(async () => {
    await adding.promise.catch(() => undefined);
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    await git("worktree", "prune");
  });
  git("worktree", "add", "--detach", folder, commit).then(adding.resolve, adding.reject);
  await adding.promise;
  // Servers that were downloaded once.
  await mkdir(path.join(folder, ".cache"));
  for (const name of readdirSync(path.join(ROOT, ".cache")))
    if (name.endsWith(`-${process.arch}`))
      await symlink(path.join(ROOT, ".cache", name), path.join(folder, ".cache", name));
}

/** Resolves with the standard output. The repository may belong to another user, as in a container. */
async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["-c", "safe.directory=*", ...args], { cwd: ROOT });
  return stdout.trim();
}
