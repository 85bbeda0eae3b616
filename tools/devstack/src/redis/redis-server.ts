// Finds the program of a Redis server or of Valkey, its fork: an installed one, or on Debian and its derivatives the
// distribution's package, unpacked into a cache.
import { existsSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";

export interface RedisServer {
  readonly program: string;
  /** The variables with which the program finds its libraries. */
  readonly environment: Record<string, string>;
}

const PROGRAMS = ["redis-server", "valkey-server"];
const PROGRAM_DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];

/** Resolves to undefined if neither is installed nor available as a package. Rejects when unpacking fails. */
export async function findRedis(log: (line: string) => void): Promise<RedisServer | undefined> {
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
