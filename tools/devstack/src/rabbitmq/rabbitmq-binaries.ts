// Finds the programs of a RabbitMQ server: the machine's own, or on Debian and its relatives the distribution's
// packages unpacked into a cache, which needs no rights and leaves the machine as it was.
import { existsSync } from "node:fs";
import path from "node:path";
import { unpackedRabbitmq } from "./unpack-rabbitmq.ts";

export interface RabbitmqBinaries {
  server: string;
  /** The operator's command, beside the server. */
  control: string;
  epmd: string;
  /** What must be in the environment for these programs to find their own files. */
  environment: Record<string, string>;
}

const INSTALLED_SERVERS = [
  "/usr/lib/rabbitmq/bin/rabbitmq-server",
  "/opt/rabbitmq/sbin/rabbitmq-server",
  "/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server",
  "/usr/local/opt/rabbitmq/sbin/rabbitmq-server",
];
const PROGRAM_DIRECTORIES = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/opt/erlang/bin"];

/** Undefined where there is neither a RabbitMQ nor a way to unpack one. Rejects when unpacking it fails. */
export async function findRabbitmq(say: (line: string) => void): Promise<RabbitmqBinaries | undefined> {
  return installed() ?? (await unpacked(say));
}

function installed(): RabbitmqBinaries | undefined {
  const server = INSTALLED_SERVERS.find((file) => existsSync(file));
  const epmd = PROGRAM_DIRECTORIES.map((directory) => path.join(directory, "epmd")).find((file) =>
    existsSync(file),
  );
  if (server === undefined || epmd === undefined) return undefined;
  return {
    server,
    control: controlBeside(server),
    epmd,
    environment: { PATH: PROGRAM_DIRECTORIES.join(":") },
  };
}

async function unpacked(say: (line: string) => void): Promise<RabbitmqBinaries | undefined> {
  const found = await unpackedRabbitmq(say);
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

function controlBeside(server: string): string {
  return path.join(path.dirname(server), "rabbitmqctl");
}
