// Prepares a private Redis below a data directory, on 127.0.0.1 only and with a password of its own. It keeps nothing.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endLeftover } from "../process/leftovers.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import { launch, type Running, type Startable, waitUntilReady } from "../process/running.ts";
import { findRedis, type RedisServer } from "./redis-server.ts";

export interface PreparedRedis {
  /** With the password in it. */
  readonly url: string;
  readonly processes: Startable[];
}

/** Resolves to undefined where there is no Redis to be had. Rejects when unpacking one fails. */
export async function prepareRedis(options: {
  dataDir: string;
  say: (line: string) => void;
}): Promise<PreparedRedis | undefined> {
  const { dataDir, say } = options;
  const server = await findRedis(say);
  if (server === undefined) return undefined;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await endLeftover(path.join(dataDir, "redis.pid"), "SIGKILL", 5_000);
  const { port } = await claimPorts(path.join(dataDir, "ports.json"), ["port"]);
  const password = randomBytes(18).toString("hex");
  writeConfiguration(dataDir, port, password);
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    processes: [{ name: "redis", start: (signal) => start(server, { dataDir, port }, signal) }],
  };
}

/** In a file, because everybody on the machine can read a command line. */
function writeConfiguration(dataDir: string, port: number, password: string): void {
  const lines = [
    "bind 127.0.0.1",
    `port ${port}`,
    `requirepass ${password}`,
    'save ""',
    "appendonly no",
    // No path: it may hold a space, and the program runs in its directory anyway.
    "dir ./",
  ];
  writeFileSync(path.join(dataDir, "redis.conf"), `${lines.join("\n")}\n`, { mode: 0o600 });
}

async function start(
  server: RedisServer,
  { dataDir, port }: { dataDir: string; port: number },
  signal?: AbortSignal,
): Promise<Running> {
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
    stopWithinMs: 5_000,
  });
  const what = { name: "Redis", logFile, withinMs: 30_000 };
  await waitUntilReady(running, what, () => isListening(port), signal);
  return running;
}
