// Finds the programs of a RabbitMQ server: the machine's own, or on Debian and its relatives the distribution's
// packages unpacked into a cache, which needs no rights and leaves the machine as it was.
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { unpackRabbitmq } from "./unpack-rabbitmq.ts";

export interface RabbitmqBinaries {
  server: string;
  /** The operator's command, beside the server. */
  control: string;
  epmd: string;
  /** What must be in the environment for these programs to find their own files. */
  environment: Record<string, string>;
}

const REPOSITORY = path.resolve(import.meta.dirname, "../../..");

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
  const tree = path.join(cacheDirectory(), `rabbitmq-${process.arch}`);
  if (!existsSync(tree)) {
    if (!canRun("apt-get") || !canRun("dpkg")) return undefined;
    say("Fetching RabbitMQ from the distribution's packages …");
    await unpackRabbitmq(tree);
  }
  const libraries = ["x86_64", "aarch64"].map((machine) => `${tree}/usr/lib/${machine}-linux-gnu`);
  return {
    server: `${tree}/usr/lib/rabbitmq/bin/rabbitmq-server`,
    control: `${tree}/usr/lib/rabbitmq/bin/rabbitmqctl`,
    epmd: `${tree}/usr/bin/epmd`,
    environment: {
      PATH: [`${tree}/usr/bin`, ...PROGRAM_DIRECTORIES].join(":"),
      LD_LIBRARY_PATH: libraries.filter((directory) => existsSync(directory)).join(":"),
    },
  };
}

/** A directory of ours that can be written. RabbitMQ's own scripts break where its path holds a space. */
function cacheDirectory(): string {
  const user = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache"), "tradepost");
  const shared = path.join(os.tmpdir(), `tradepost-cache-${os.userInfo().uid}`);
  const found = [path.join(REPOSITORY, ".cache"), user, shared].find(
    (place) => !/\s/.test(place) && isUsable(place),
  );
  if (found === undefined)
    throw new Error(`RabbitMQ needs a directory to unpack into: make ${user} writable.`);
  return found;
}

function controlBeside(server: string): string {
  return path.join(path.dirname(server), "rabbitmqctl");
}

/** Somebody else's directory will not do, even if it can be written: programs are run from it. */
function isUsable(directory: string): boolean {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    accessSync(directory, constants.W_OK);
    return statSync(directory).uid === os.userInfo().uid;
  } catch {
    return false;
  }
}

function canRun(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
