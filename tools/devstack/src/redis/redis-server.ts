// Finds the program of a Redis server, or of Valkey, its twin: the machine's own, or on Debian and its relatives the
// distribution's package unpacked into a cache, as with RabbitMQ.
import { existsSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";

export interface RedisServer {
  readonly program: string;
  /** What the program needs in its environment to find its libraries. */
  readonly environment: Record<string, string>;
}

const PROGRAMS = ["redis-server", "valkey-server"];
const PROGRAM_DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];

/** Undefined where there is neither a Redis nor a way to unpack one. Rejects when unpacking it fails. */
export async function findRedis(say: (line: string) => void): Promise<RedisServer | undefined> {
  return installed() ?? (await unpacked(say));
}

function installed(): RedisServer | undefined {
  const places = PROGRAMS.flatMap((name) =>
    PROGRAM_DIRECTORIES.map((directory) => path.join(directory, name)),
  );
  const program = places.find((file) => existsSync(file));
  return program === undefined ? undefined : { program, environment: {} };
}

/** Distributions have one or the other or both, each in a package of the program's name. */
async function unpacked(say: (line: string) => void): Promise<RedisServer | undefined> {
  let reason: unknown;
  for (const name of PROGRAMS) {
    try {
      const found = await unpackedPackages({ name, install: name }, say);
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
