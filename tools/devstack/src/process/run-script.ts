import { spawn } from "node:child_process";
import path from "node:path";
import { COMPILE_CACHE_DIR, ROOT } from "../settings/root.ts";

export interface ScriptResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a script of this repository as its npm command does. `script` is its path relative to the root. If it has not ended after
 * `timeoutMs`, it gets a SIGTERM.
 */
export async function runScript(
  script: string,
  args: string[],
  environment: Record<string, string>,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<ScriptResult> {
  const child = spawn(process.execPath, ["--conditions=source", path.join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE_DIR, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}
