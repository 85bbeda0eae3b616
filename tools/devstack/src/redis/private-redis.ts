// A private Redis below a data directory. It listens on 127.0.0.1 only, requires a password and saves nothing.
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";
import { endOrphan } from "../process/orphans.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import {
  type LaunchOptions,
  launchUntilReady,
  type Program,
  type RunningProcess,
  startAll,
  stopAll,
} from "../process/program.ts";

interface PreparedRedis {
  readonly url: string;
  readonly processes: Program[];
}

async function prepareRedis(options: {
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

function start(
  server: RedisServer,
  { dataDir, port }: { dataDir: string; port: number },
  signal?: AbortSignal,
): Promise<RunningProcess> {
  const options = {
    name: "Redis",
    command: server.program,
    args: ["redis.conf"],
    env: server.environment,
    cwd: dataDir,
    logFile: path.join(dataDir, "redis.log"),
    pidFile: path.join(dataDir, "redis.pid"),
    stopSignal: "SIGKILL",
    stopTimeoutMs: 5_000,
  } satisfies LaunchOptions;
  return launchUntilReady(options, { timeoutMs: 30_000, isReady: () => isListening(port) }, signal);
}

interface RedisServer {
  readonly program: string;
  readonly environment: Record<string, string>;
}

const PROGRAMS = ["redis-server", "valkey-server"];
const PROGRAM_DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];

/** Undefined if Redis is neither installed nor available as a package. */
async function findRedis(log: (line: string) => void): Promise<RedisServer | undefined> {
  return installed() ?? (await unpacked(log));
}

function installed(): RedisServer | undefined {
  const files = PROGRAMS.flatMap((name) =>
    PROGRAM_DIRECTORIES.map((directory) => path.join(directory, name)),
  );
  const program = files.find((file) => existsSync(file));
  return program === undefined ? undefined : { program, environment: {} };
}

/** Distributions have one or both programs, in packages with the same names. */
async function unpacked(log: (line: string) => void): Promise<RedisServer | undefined> {
  let reason: unknown;
  for (const name of PROGRAMS) {
    try {
      const found = await unpackedPackages({ name, install: name }, log);
      if (found === undefined) return undefined;
      return {
        program: `${found.tree}/usr/bin/${name}`,
        environment: { LD_LIBRARY_PATH: found.libraryPath },
      };
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
}

interface TestRedis {
  readonly url: string | undefined;
  stop(): Promise<void>;
}

/** Uses the server at `externalUrl`, if set, otherwise a private one. Never rejects: it logs why there is no Redis. */
export async function startTestRedis(externalUrl: string | undefined, dataDir: string): Promise<TestRedis> {
  if (externalUrl) return { url: externalUrl, stop: async () => {} };
  try {
    const prepared = await prepareRedis({ dataDir, log: console.log });
    if (prepared === undefined) return unavailable("there is no package for it");
    const running = await startAll(prepared.processes);
    return { url: prepared.url, stop: () => stopAll(running) };
  } catch (error) {
    // The last line of apt's output is the reason.
    return unavailable(
      (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "",
    );
  }
}

function unavailable(reason: string): TestRedis {
  const install = process.platform === "darwin" ? "brew install redis" : "sudo apt-get install redis-server";
  console.log(
    `The tests that need Redis are skipped (${reason}): run \`${install}\`, or set TEST_REDIS_URL, to run them too.`,
  );
  return { url: undefined, stop: async () => {} };
}
