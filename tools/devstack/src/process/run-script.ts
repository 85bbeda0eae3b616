// Runs one of the project's scripts as its npm command does, and hands back what it printed.
import { spawn } from "node:child_process";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../../..");

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In: the script's path from the root, its words, and settings beside the environment's. */
export async function runScript(
  script: string,
  words: string[],
  settings: Record<string, string>,
): Promise<Ran> {
  const child = spawn(process.execPath, ["--conditions=source", path.join(ROOT, script), ...words], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}
