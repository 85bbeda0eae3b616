// A private Postgres below a data directory: durable for `npm start`, fast for `npm test`. It listens on 127.0.0.1 only and
// requires a password.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { endOrphan, runsAs } from "../process/orphans.ts";
import { claimPorts } from "../process/ports.ts";
import { type Program, serverProgram } from "../process/program.ts";
import { savedPassword } from "../settings/platform-secrets.ts";
import { execute } from "./execute.ts";
import {
  type Account,
  canEnter,
  ENVIRONMENT,
  findPostgres,
  type PostgresBinaries,
} from "./postgres-binaries.ts";

export interface PostgresOptions {
  dataDir: string;
  /** False, for tests, may lose data in a crash. */
  durable: boolean;
  log: (line: string) => void;
}

/**
 * Creates the cluster if needed, and ends a server that outlived a launcher that was killed. Resolves to undefined if Postgres is
 * not installed.
 */
export async function preparePostgres(options: PostgresOptions) {
  const binaries = findPostgres();
  if (binaries === undefined) return undefined;
  createDirectory(options.dataDir);
  await endOrphan(path.join(options.dataDir, "postgres.pid"), "SIGINT", 10_000);
  const cluster = path.join(accessibleDirectory(options, binaries.account), "cluster");
  const password = savedPassword(options.dataDir);
  if (existsSync(cluster)) removeStaleLock(cluster);
  else createCluster(cluster, password, binaries, options);
  const { postgres: port } = await claimPorts(path.join(options.dataDir, "ports.json"), ["postgres"]);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return { url, processes: [serverOn(cluster, url, binaries, options)] };
}

/** The account that Postgres runs as needs execute permission. Files with secrets have their own modes. */
function createDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o711);
}

/**
 * Returns the data directory, or one in /var/lib if only root may enter the data directory. Then the file `place` in the data
 * directory contains its path.
 */
function accessibleDirectory({ dataDir, log }: PostgresOptions, account: Account | undefined): string {
  const note = path.join(dataDir, "place");
  if (existsSync(note)) return readFileSync(note, "utf8");
  if (canEnter(account, dataDir)) return dataDir;
  const place = `/var/lib/tradepost-data-${randomBytes(6).toString("hex")}`;
  createDirectory(place);
  log(`Postgres does not run as root and may not enter ${dataDir}: its data is in ${place}.`);
  writeFileSync(note, place);
  return place;
}

/** Creates the cluster under another name, and renames it when complete: an interrupted start leaves no partial one. */
function createCluster(
  cluster: string,
  password: string,
  binaries: PostgresBinaries,
  options: PostgresOptions,
): void {
  const incomplete = `${cluster}.incomplete`;
  const passwordFile = `${cluster}.password`;
  rmSync(incomplete, { recursive: true, force: true });
  mkdirSync(incomplete, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (binaries.account !== undefined) {
    for (const file of [incomplete, passwordFile])
      chownSync(file, binaries.account.uid, binaries.account.gid);
  }
  // Text sorts by bytes on every machine; the built-in locale provides Unicode upper and lower case.
  const locale = binaries.major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
  const args = ["-D", incomplete, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  args.push("-E", "UTF8", "--locale=C", ...locale);
  if (!options.durable) {
    args.push("--no-sync");
    // Thousands of connections of tests log in with random passwords, whose hashes need not be slow.
    if (binaries.major >= 16) args.push("--set", "scram_iterations=1");
  }
  const run = { ...binaries.account, env: ENVIRONMENT, cwd: "/", stdio: "pipe" } as const;
  execFileSync(path.join(binaries.directory, "initdb"), args, run);
  rmSync(passwordFile);
  renameSync(incomplete, cluster);
}

/**
 * Postgres does not start while the pid in its lock file exists, even if that is another program now, or a zombie. The
 * lock of a running Postgres is not removed.
 */
function removeStaleLock(cluster: string): void {
  const lock = path.join(cluster, "postmaster.pid");
  const holder = existsSync(lock) ? Number(readFileSync(lock, "utf8").split("\n")[0]) : undefined;
  if (holder !== undefined && !runsAs(holder, "postgres")) rmSync(lock);
}

export function serverSettings(durable: boolean): string[] {
  if (durable) return ["max_connections=200"];
  // Up to six test files run at a time, each with one or two platforms of 80 connections.
  return ["max_connections=800", "fsync=off", "synchronous_commit=off", "full_page_writes=off"];
}

function serverOn(
  cluster: string,
  url: string,
  binaries: PostgresBinaries,
  { dataDir, durable }: PostgresOptions,
): Program {
  const addresses = ["listen_addresses=127.0.0.1", "unix_socket_directories="];
  const settings = [...addresses, ...serverSettings(durable)];
  const { port } = new URL(url);
  const options = {
    command: path.join(binaries.directory, "postgres"),
    args: ["-D", cluster, "-p", port, ...settings.flatMap((setting) => ["-c", setting])],
    ...{ env: ENVIRONMENT, cwd: "/", account: binaries.account },
    // SIGINT is Postgres's fast shutdown; SIGQUIT its immediate one, after which it must recover.
    stopSignal: durable ? "SIGINT" : "SIGQUIT",
    stopTimeoutMs: 15_000,
  } as const;
  return serverProgram(dataDir, "postgres", options, {
    ...{ title: "Postgres", timeoutMs: 60_000, isReady: () => accepts(url) },
  });
}

/** Whether a server executes statements. */
export async function accepts(url: string): Promise<boolean> {
  return await execute(url, "select 1").then(
    () => true,
    () => false,
  );
}
