// A Redis for tests below a data directory. It listens on 127.0.0.1 only, requires a password and saves nothing.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fetchFault, installedProgram, unpackedPackages } from "../debian/debian-packages.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import { serverProgram } from "../process/program.ts";

/** Uses the server at `externalUrl` or starts a private one. If that fails, logs the reason and resolves without a URL. */
export async function startTestRedis(externalUrl: string | undefined, dataDir: string) {
  if (externalUrl) return { url: externalUrl, stop: async () => {} };
  try {
    const program = await findRedis(console.log);
    if (program === undefined) return unavailable("there is no package for it");
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const { port } = await claimPorts(path.join(dataDir, "ports.json"), ["port"]);
    const password = randomBytes(18).toString("hex");
    writeConfiguration(dataDir, port, password);
    const options = {
      ...program,
      args: ["redis.conf"],
      stopSignal: "SIGKILL",
      stopTimeoutMs: 5_000,
    } as const;
    const ready = { title: "Redis", timeoutMs: 30_000, isReady: () => isListening(port) };
    const { stop } = await serverProgram(dataDir, "redis", options, ready).start();
    return { url: `redis://:${password}@127.0.0.1:${port}`, stop };
  } catch (error) {
    return unavailable(fetchFault(error));
  }
}

const PROGRAMS = ["redis-server", "valkey-server"];

/** Undefined if Redis is neither installed nor available as a package. */
async function findRedis(log: (line: string) => void) {
  const installed = installedProgram(...PROGRAMS);
  if (installed !== undefined) return { command: installed, env: {} };
  let reason: unknown;
  // Distributions have one or both programs, in packages with the same names.
  for (const name of PROGRAMS) {
    try {
      const found = await unpackedPackages({ name, install: name }, log);
      return (
        found && { command: `${found.tree}/usr/bin/${name}`, env: { LD_LIBRARY_PATH: found.libraryPath } }
      );
    } catch (error) {
      reason ??= error;
    }
  }
  throw reason;
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

function unavailable(reason: string) {
  const install = process.platform === "darwin" ? "brew install redis" : "sudo apt-get install redis-server";
  console.log(
    `The tests that need Redis are skipped (${reason}): run \`${install}\`, or set TEST_REDIS_URL, to run them too.`,
  );
  return { url: undefined, stop: async () => {} };
}
