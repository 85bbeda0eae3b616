import { spawn } from "node:child_process";
import path from "node:path";
import { COMPILE_CACHE_DIR, ROOT } from "../settings/root.ts";

/**
 * Runs a script of this repository as its npm command does. `script` is its path relative to the root. If it has not ended after
 * `timeoutMs`, it gets a SIGTERM.
 */
export async function runScript(
  script: string,
  args: string[],
  environment: Record<string, string>,
  { timeoutMs }: { timeoutMs?: number } = {},
) {
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

/** Resolves to the exit status of `work`, or to 130 when the script is asked to stop. Then `running` is disposed of. */
export async function untilStopped(
  work: (running: AsyncDisposableStack) => Promise<number>,
): Promise<number> {
  await using running = new AsyncDisposableStack();
  const interrupted = new Promise<number>((resolve) => {
    onStopRequest(() => resolve(130));
  });
  return await Promise.race([interrupted, work(running)]);
}

/**
 * Calls `handler` each time the script is asked to stop, with the number of requests so far: on Ctrl-C, on SIGTERM, and
 * when bootstrap.mjs was killed, which closes its IPC channel.
 */
export function onStopRequest(handler: (count: number) => void): void {
  let count = 0;
  const request = () => {
    count += 1;
    handler(count);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, request);
  process.once("disconnect", request);
  // An open channel must not keep the script running.
  process.channel?.unref();
}
