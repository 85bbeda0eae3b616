// Unpacks RabbitMQ and Erlang from the packages of Debian and its relatives, without installing them: no
// rights are needed, no service is set up, and the machine's own package state is not touched.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Makes `tree`, whose parent exists, hold what the packages hold. Appears whole or not at all, and may be
 * called by two processes at once. Rejects with a sentence when the packages cannot be had.
 */
export async function unpackRabbitmq(tree: string): Promise<void> {
  const work = mkdtempSync(`${tree}.`);
  try {
    const archives = await fetchPackages(work);
    const incomplete = path.join(work, "tree");
    for (const archive of archives) await run("dpkg", ["-x", archive, incomplete]);
    makeErlangMovable(incomplete);
    renameSync(incomplete, tree);
  } catch (error) {
    if (await holdsTree(tree)) return;
    const said =
      error instanceof Error ? error.message.trim().split("\n").slice(-3).join(" ") : String(error);
    throw new Error(
      `RabbitMQ could not be fetched (${said}): install it with \`sudo apt-get install rabbitmq-server\`, ` +
        "or set AMQP_URL and RABBITMQ_MANAGEMENT_URL.",
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** First with the machine's package lists; where those are missing or out of date, with fresh ones of our own. */
async function fetchPackages(work: string): Promise<string[]> {
  try {
    return await download(work, []);
  } catch {
    const own = [`Dir::State::lists=${work}/lists`, `Dir::Cache=${work}/cache`, "APT::Sandbox::User=root"];
    const options = own.flatMap((option) => ["-o", option]);
    for (const directory of ["lists/partial", "cache/archives/partial"]) {
      mkdirSync(path.join(work, directory), { recursive: true });
    }
    await run("apt-get", [...options, "update"]);
    return await download(work, options);
  }
}

async function download(work: string, options: string[]): Promise<string[]> {
  const archives = path.join(work, "archives");
  mkdirSync(archives, { recursive: true });
  const names = [...new Set([...(await missingPackages(options)), ...(await erlangPackages(options))])];
  await run("apt-get", [...options, "-o", "APT::Sandbox::User=root", "download", ...names], {
    cwd: archives,
  });
  return (await readdir(archives))
    .filter((name) => name.endsWith(".deb"))
    .map((name) => path.join(archives, name));
}

/** What an installation would add to this machine. */
async function missingPackages(options: string[]): Promise<string[]> {
  const simulate = [...options, "--simulate", "--no-install-recommends", "install", "rabbitmq-server"];
  const { stdout } = await run("apt-get", simulate, { env: { ...process.env, LC_ALL: "C" } });
  return [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? "");
}

/** All of Erlang, even what is installed: it works only when it lies in one tree. */
async function erlangPackages(options: string[]): Promise<string[]> {
  const only = [
    "--recurse",
    "--no-recommends",
    "--no-suggests",
    "--no-conflicts",
    "--no-breaks",
    "--no-replaces",
  ];
  const { stdout } = await run("apt-cache", [...options, "depends", ...only, "rabbitmq-server"]);
  return [...stdout.matchAll(/^(erlang-\S+)/gm)].map((match) => match[1] ?? "");
}

/** Its start script names /usr/lib/erlang; it must find itself wherever it lies. */
function makeErlangMovable(tree: string): void {
  const script = path.join(tree, "usr/lib/erlang/bin/erl");
  const here = 'ROOTDIR="$(dirname "$(dirname "$(readlink -f "$0")")")"';
  writeFileSync(script, readFileSync(script, "utf8").replaceAll(/ROOTDIR=\/usr\/lib\/erlang\b/g, here));
}

async function holdsTree(tree: string): Promise<boolean> {
  return readdir(tree).then(
    (entries) => entries.length > 0,
    () => false,
  );
}
