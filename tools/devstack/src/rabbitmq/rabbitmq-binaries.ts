// Finds the programs of a RabbitMQ server: installed ones, or the packages of Debian and its derivatives, unpacked into a cache.

import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import {
  fetchFault,
  installedProgram,
  PROGRAM_DIRECTORIES,
  unpackedPackages,
} from "../debian/debian-packages.ts";

export interface RabbitmqBinaries {
  /** Its other programs are in the same directory. */
  server: string;
  epmd: string;
  environment: Record<string, string>;
}

const INSTALLED_SERVERS = [
  "/usr/lib/rabbitmq/bin/rabbitmq-server",
  "/opt/rabbitmq/sbin/rabbitmq-server",
  "/opt/homebrew/opt/rabbitmq/sbin/rabbitmq-server",
  "/usr/local/opt/rabbitmq/sbin/rabbitmq-server",
];

export async function findRabbitmq(log: (line: string) => void): Promise<RabbitmqBinaries | undefined> {
  return installed() ?? (await unpacked(log));
}

function installed(): RabbitmqBinaries | undefined {
  const server = INSTALLED_SERVERS.find((file) => existsSync(file));
  const epmd = installedProgram("epmd");
  if (server === undefined || epmd === undefined) return undefined;
  return { server, epmd, environment: { PATH: PROGRAM_DIRECTORIES.join(":") } };
}

/** Undefined if the system does not use such packages. Rejects with a sentence when they cannot be fetched. */
async function unpacked(log: (line: string) => void): Promise<RabbitmqBinaries | undefined> {
  const packages = {
    name: "rabbitmq",
    install: "rabbitmq-server",
    also: erlangPackages,
    finish: makeErlangRelocatable,
  };
  const found = await unpackedPackages(packages, log).catch((error: unknown) => {
    throw new Error(
      `RabbitMQ could not be fetched (${fetchFault(error, 3)}): install it with \`sudo apt-get install rabbitmq-server\`, ` +
        "or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.",
    );
  });
  if (found === undefined) return undefined;
  const { tree, libraryPath } = found;
  return {
    server: `${tree}/usr/lib/rabbitmq/bin/rabbitmq-server`,
    epmd: `${tree}/usr/bin/epmd`,
    environment: {
      PATH: [`${tree}/usr/bin`, ...PROGRAM_DIRECTORIES].join(":"),
      LD_LIBRARY_PATH: libraryPath,
    },
  };
}

/** Includes installed ones, because Erlang runs only if all its files are in one tree. */
async function erlangPackages(options: readonly string[]): Promise<string[]> {
  const left = ["recommends", "suggests", "conflicts", "breaks", "replaces"].map((kind) => `--no-${kind}`);
  const args = [...options, "depends", "--recurse", ...left, "rabbitmq-server"];
  const { stdout } = await promisify(execFile)("apt-cache", args);
  return [...stdout.matchAll(/^(erlang-\S+)/gm)].map((match) => match[1] ?? "");
}

/** Replaces the path /usr/lib/erlang in Erlang's start script by the script's own directory. */
function makeErlangRelocatable(tree: string): void {
  const script = path.join(tree, "usr/lib/erlang/bin/erl");
  const here = 'ROOTDIR="$(dirname "$(dirname "$(readlink -f "$0")")")"';
  writeFileSync(script, readFileSync(script, "utf8").replaceAll(/ROOTDIR=\/usr\/lib\/erlang\b/g, here));
}
