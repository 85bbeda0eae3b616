// Unpacks RabbitMQ and Erlang from the packages of Debian and its derivatives so that they run from any directory.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { type Unpacked, unpackedPackages } from "../debian/debian-packages.ts";

/** Resolves to undefined if the system does not use such packages. Rejects with a sentence when they cannot be fetched. */
export async function unpackedRabbitmq(log: (line: string) => void): Promise<Unpacked | undefined> {
  const packages = {
    name: "rabbitmq",
    install: "rabbitmq-server",
    also: erlangPackages,
    finish: makeErlangRelocatable,
  };
  return await unpackedPackages(packages, log).catch((error: unknown) => {
    const reason =
      error instanceof Error ? error.message.trim().split("\n").slice(-3).join(" ") : String(error);
    throw new Error(
      `RabbitMQ could not be fetched (${reason}): install it with \`sudo apt-get install rabbitmq-server\`, ` +
        "or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.",
    );
  });
}

/** Returns all packages of Erlang, even installed ones, because Erlang runs only if all its files are in one tree. */
async function erlangPackages(options: readonly string[]): Promise<string[]> {
  const only = [
    "--recurse",
    "--no-recommends",
    "--no-suggests",
    "--no-conflicts",
    "--no-breaks",
    "--no-replaces",
  ];
  const { stdout } = await promisify(execFile)("apt-cache", [
    ...options,
    "depends",
    ...only,
    "rabbitmq-server",
  ]);
  return [...stdout.matchAll(/^(erlang-\S+)/gm)].map((match) => match[1] ?? "");
}

/** Replaces the path /usr/lib/erlang in Erlang's start script by the script's own directory. */
function makeErlangRelocatable(tree: string): void {
  const script = path.join(tree, "usr/lib/erlang/bin/erl");
  const here = 'ROOTDIR="$(dirname "$(dirname "$(readlink -f "$0")")")"';
  writeFileSync(script, readFileSync(script, "utf8").replaceAll(/ROOTDIR=\/usr\/lib\/erlang\b/g, here));
}
