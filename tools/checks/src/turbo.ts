// Starts turbo, which runs a script in every workspace and remembers where it succeeded on the same files. Turbo runs the scripts
// with pnpm, which npx provides, so nobody has to install it.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./root.ts";

/** Starts turbo and its processes in one process group. */
export function startTurbo(
  args: readonly string[],
  { env = process.env, stdio }: { env?: NodeJS.ProcessEnv; stdio: StdioOptions },
): ChildProcess {
  const { packageManager } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const pnpm = `--package=${packageManager.split("+", 1)[0]}`;
  return spawn("npx", ["-y", pnpm, "--", "turbo", "run", ...args], {
    cwd: ROOT,
    stdio,
    detached: true,
    env: {
      ...env,
      // The version is exact, so npm's cached copy is the right one. The log level lets npx print errors, which .npmrc turns off.
      npm_config_prefer_offline: "true",
      npm_config_loglevel: "error",
      TURBO_TELEMETRY_DISABLED: "1",
    },
  });
}

/** Returns the folders of the workspaces that have the script. */
export function workspacesWith(script: string): string[] {
  const groups = ["packages", "services", "tools"].flatMap((group) =>
    readdirSync(path.join(ROOT, group)).map((name) => path.join(ROOT, group, name)),
  );
  return [...groups, path.join(ROOT, "tests")].filter((folder) => {
    const manifest = path.join(folder, "package.json");
    return existsSync(manifest) && script in (JSON.parse(readFileSync(manifest, "utf8")).scripts ?? {});
  });
}

const NO_SCRIPT = "<NONEXISTENT>";

/**
 * Returns the scripts that turbo need not run, because they succeeded on the same files in every workspace. Rejects if turbo
 * fails.
 */
export async function cachedScripts(
  scripts: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Set<string>> {
  const turbo = startTurbo([...scripts, "--dry=json"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let json = "";
  turbo.stdout?.setEncoding("utf8").on("data", (text: string) => {
    json += text;
  });
  const code = await exitCodeOf(turbo);
  if (code !== 0) throw new Error(`turbo run ${scripts.join(" ")} --dry=json ended with ${code}.`);
  const { tasks } = JSON.parse(json.slice(json.indexOf("{"))) as {
    tasks: { task: string; command: string; cache: { status: "HIT" | "MISS" } }[];
  };
  const missing = tasks.filter(({ command, cache }) => command !== NO_SCRIPT && cache.status !== "HIT");
  return new Set(scripts.filter((script) => missing.every(({ task }) => task !== script)));
}

/** Resolves with the exit code when the process and its outputs have ended; 1 if a signal ended it. */
export async function exitCodeOf(child: ChildProcess): Promise<number> {
  return await new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`${error.message}: is npm installed?`)));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** Ends the child and all processes of its group. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // The group has already ended.
  }
}
