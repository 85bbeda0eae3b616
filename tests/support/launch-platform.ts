// Starts a platform as `npm start` does, with the launcher as a child process and a data directory for this test.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type PlatformFile, ROOT, respondsOk } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import { opsJsonOn, type Words } from "./run-ops.ts";

/** In ms. On a machine at full load, starting the servers and migrating takes minutes. */
const START_TIMEOUT_MS = 500_000;

export type LaunchedPlatform = Awaited<ReturnType<typeof launchPlatform>>;

/** Launches a platform. `dataDir` may be the directory of an earlier start; `options` are the options of `npm start`. */
export async function launchPlatform(
  settings: Record<string, string>,
  dataDir = newDataDir(),
  options: readonly string[] = [],
) {
  const child = spawn(
    process.execPath,
    [path.join(ROOT, "tools/devstack/bootstrap.mjs"), "tools/devstack/src/start.ts", ...options],
    {
      cwd: ROOT,
      env: { ...process.env, PORT: "0", TRADEPOST_DATA_DIR: dataDir, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    await until("the platform to be ready", () => isReady(child, output), START_TIMEOUT_MS);
  } catch (error) {
    child.kill("SIGTERM");
    await exited;
    throw new Error(`the platform did not start:\n${output}`, { cause: error });
  }
  const now = () => JSON.parse(readFileSync(path.join(dataDir, "stack.json"), "utf8")) as PlatformFile;
  return {
    dataDir,
    /** Returns the current stack.json. Pids change with a restart. */
    now,
    output: () => output,
    /** Runs an operators' command on this platform and resolves with its JSON output. */
    ops: (...words: Words): Promise<unknown> => {
      const { databases, amqpUrl, managementUrl } = now();
      const broker = { amqpUrl, managementUrl: managementUrl ?? "" };
      return opsJsonOn({ databases, broker, mediaDir: path.join(dataDir, "media") })(...words);
    },
    /** Kills a process with SIGKILL. Resolves when it is restarted and all services are ready. */
    killAndWait: async (pidOf: (platform: PlatformFile) => number | null | undefined) => {
      const before = pidOf(now());
      if (typeof before !== "number") throw new Error("there is no such process");
      process.kill(before, "SIGKILL");
      await until("another process in its place", () => {
        const after = pidOf(now());
        return typeof after === "number" && after !== before;
      });
      await until("all to be ready again", () => isAllReady(now()));
    },
    /** Sends SIGTERM to the launcher and resolves with its exit code. */
    stop: async () => {
      child.kill("SIGTERM");
      return await exited;
    },
  };
}

export function newDataDir(): string {
  // The path contains a space, because users' paths may contain spaces.
  return mkdtempSync(path.join(tmpdir(), "tradepost platform "));
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

function isReady(child: ChildProcess, output: string): boolean {
  if (child.exitCode !== null) throw new Error(`the launcher ended:\n${output}`);
  return /^ready http:\/\/127\.0\.0\.1:\d+$/m.test(output);
}

async function isAllReady(platform: PlatformFile): Promise<boolean> {
  const urls = Object.values(platform.processes).flatMap((replicas) => replicas.map(({ url }) => url));
  return (await Promise.all(urls.map((url) => respondsOk(url, "/readyz")))).every(Boolean);
}
