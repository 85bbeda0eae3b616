// Finds the programs of a RabbitMQ server: installed ones, or on Debian and its derivatives the distribution's packages,
// unpacked into a cache. That needs no rights and installs nothing.
import { existsSync } from "node:fs";
import path from "node:path";
import { unpackedRabbitmq } from "./unpack-rabbitmq.ts";

export interface RabbitmqBinaries {
  server: string;
  /** The path of rabbitmqctl. */
  control: string;
  epmd: string;
  /** The variables with which these programs find their own files. */
  environment: Record<string, string>;
}

const INSTALLED_SERVERS = [
  "/usr/lib/rabbitmq/bin/rabbitmq-server",
  "/opt/rabbitmq/sbin/rabbitmq-server",
  "/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server",
  "/usr/local/opt/rabbitmq/sbin/rabbitmq-server",
];
const PROGRAM_DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/opt/erlang/bin"];

/** Resolves to undefined if RabbitMQ is neither installed nor available as a package. Rejects when unpacking fails. */
export async function findRabbitmq(log: (line: string) => void): Promise<RabbitmqBinaries | undefined> {
  return installed() ?? (await unpacked(log));
}

function installed(): RabbitmqBinaries | undefined {
  const server = INSTALLED_SERVERS.find((file) => existsSync(file));
  const epmd = PROGRAM_DIRECTORIES.map((directory) => path.join(directory, "epmd")).find((file) =>
    existsSync(file),
  );
  if (server === undefined || epmd === undefined) return undefined;
  return {
    server,
    control: controlOf(server),
    epmd,
    environment: { PATH: PROGRAM_DIRECTORIES.join(":") },
  };
}

async function unpacked(log: (line: string) => void): Promise<RabbitmqBinaries | undefined> {
  const found = await unpackedRabbitmq(log);
  if (found === undefined) return undefined;
  const { tree, libraryPath } = found;
  return {
    server: `${tree}/usr/lib/rabbitmq/bin/rabbitmq-server`,
    control: `${tree}/usr/lib/rabbitmq/bin/rabbitmqctl`,
    epmd: `${tree}/usr/bin/epmd`,
    environment: {
      PATH: [`${tree}/usr/bin`, ...PROGRAM_DIRECTORIES].join(":"),
      LD_LIBRARY_PATH: libraryPath,
    },
  };
}

function controlOf(server: string): string {
  return path.join(path.dirname(server), "rabbitmqctl");
}
