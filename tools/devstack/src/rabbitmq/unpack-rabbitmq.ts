// RabbitMQ and Erlang from the packages of Debian and its relatives, so that they work wherever they lie.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { type Unpacked, unpackedPackages } from "../debian/debian-packages.ts";

/** Undefined where the system has no such packages. Rejects with a sentence where they cannot be had. */
export async function unpackedRabbitmq(say: (line: string) => void): Promise<Unpacked | undefined> {
  const wanted = {
    name: "rabbitmq",
    install: "rabbitmq-server",
    also: erlangPackages,
    finish: makeErlangMovable,
  };
  return await unpackedPackages(wanted, say).catch((error: unknown) => {
    const said =
      error instanceof Error ? error.message.trim().split("\n").slice(-3).join(" ") : String(error);
    throw new Error(
      `RabbitMQ could not be fetched (${said}): install it with \`sudo apt-get install rabbitmq-server\`, ` +
        "or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.",
    );
  });
}

/** All of Erlang, even what is installed: it works only when it lies in one tree. */
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

/** Its start script names /usr/lib/erlang; it must find itself wherever it lies. */
function makeErlangMovable(tree: string): void {
  const script = path.join(tree, "usr/lib/erlang/bin/erl");
  const here = 'ROOTDIR="$(dirname "$(dirname "$(readlink -f "$0")")")"';
  writeFileSync(script, readFileSync(script, "utf8").replaceAll(/ROOTDIR=\/usr\/lib\/erlang\b/g, here));
}
