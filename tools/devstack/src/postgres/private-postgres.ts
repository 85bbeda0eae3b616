// Prepares a private Postgres below a data directory: for `npm start` one that keeps its data through any
// crash, for `npm test` one that is fast and thrown away. It listens on 127.0.0.1 only, behind a password.
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
import pg from "pg";
import { endLeftover, programOf } from "../process/leftovers.ts";
import { claimPorts } from "../process/ports.ts";
import { launch, type Running, type Startable, waitUntilReady } from "../process/running.ts";
import { type Account, canEnter, findPostgres, type PostgresBinaries } from "./postgres-binaries.ts";

export interface PostgresOptions {
  /** Belongs to this server alone; made when missing. */
  dataDir: string;
  /** False gives up every promise of durability for speed: tests only. */
  durable: boolean;
  /** Further settings of the server: `name=value`. */
  settings?: readonly string[];
  say: (line: string) => void;
}

export interface PreparedPostgres {
  /** The superuser's address of the database `postgres`. */
  url: string;
  processes: Startable[];
}

/**
 * Makes the cluster when there is none and ends a server that outlived a killed launcher. Resolves to the
 * address and to what must be started for it to answer, or to undefined where there are no binaries.
 * Throws when the cluster cannot be made.
 */
export async function preparePostgres(options: PostgresOptions): Promise<PreparedPostgres | undefined> {
  const binaries = findPostgres();
  if (binaries === undefined) return undefined;
  makeDirectory(options.dataDir);
  await endLeftover(pidFile(options.dataDir), "SIGINT", 10_000);
  const cluster = path.join(placeWithinReach(options, binaries.account), "cluster");
  const password = readPassword(options.dataDir);
  if (existsSync(cluster)) dropStaleLock(cluster);
  else makeCluster(cluster, password, binaries, options);
  const { postgres: port } = await claimPorts(path.join(options.dataDir, "ports.json"), ["postgres"]);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return {
    url,
    processes: [
      { name: "postgres", start: (signal) => start(cluster, port, url, binaries, options, signal) },
    ],
  };
}

/** The account that Postgres runs as must pass through; each file that holds a secret is closed by itself. */
function makeDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o711);
}

function pidFile(dataDir: string): string {
  return path.join(dataDir, "postgres.pid");
}

/**
 * Where the cluster lies: in the data directory, or, when that is below one which only root may enter, in
 * /var/lib, with a note of the place in the data directory.
 */
function placeWithinReach({ dataDir, say }: PostgresOptions, account: Account | undefined): string {
  const note = path.join(dataDir, "place");
  if (existsSync(note)) return readFileSync(note, "utf8");
  if (canEnter(account, dataDir)) return dataDir;
  const place = `/var/lib/tradepost-data-${randomBytes(6).toString("hex")}`;
  makeDirectory(place);
  say(`Postgres, which does not run as root, cannot enter ${dataDir}: its data is kept in ${place}.`);
  writeFileSync(note, place);
  return place;
}

function readPassword(dataDir: string): string {
  const file = path.join(dataDir, "password");
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/** Made beside its place and moved there when complete, so that half a cluster is never taken for one. */
function makeCluster(
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
  // Text sorts by bytes everywhere; the built-in locale adds what Unicode says of upper and lower case.
  const locale = binaries.major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
  const args = ["-D", incomplete, "-U", "postgres", "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
  args.push("-E", "UTF8", "--locale=C", ...locale, ...(options.durable ? [] : ["--no-sync"]));
  execFileSync(path.join(binaries.directory, "initdb"), args, {
    ...binaries.account,
    env: environment(),
    cwd: "/",
    stdio: "pipe",
  });
  rmSync(passwordFile);
  renameSync(incomplete, cluster);
}

/**
 * Postgres will not start while the pid in its lock file exists, be it a stranger's by now or a dead process that
 * nobody collects. The lock of a living Postgres stays. What else guards the old server's shared memory stays too.
 */
function dropStaleLock(cluster: string): void {
  const lock = path.join(cluster, "postmaster.pid");
  const holder = existsSync(lock) ? Number(readFileSync(lock, "utf8").split("\n")[0]) : undefined;
  if (holder !== undefined && !programOf(holder)?.includes("postgres")) rmSync(lock);
}

function environment(): Record<string, string> {
  return { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

async function start(
  cluster: string,
  port: number,
  url: string,
  binaries: PostgresBinaries,
  { dataDir, durable, settings: further = [] }: PostgresOptions,
  signal?: AbortSignal,
): Promise<Running> {
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    ...further,
  ];
  if (!durable) settings.push("fsync=off", "synchronous_commit=off", "full_page_writes=off");
  const logFile = path.join(dataDir, "postgres.log");
  const running = launch({
    name: "Postgres",
    command: path.join(binaries.directory, "postgres"),
    args: ["-D", cluster, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    env: environment(),
    cwd: "/",
    logFile,
    pidFile: pidFile(dataDir),
    // SIGINT is Postgres's fast shutdown, SIGQUIT its immediate one, which leaves the data to recovery.
    stopSignal: durable ? "SIGINT" : "SIGQUIT",
    stopWithinMs: 15_000,
    account: binaries.account,
  });
  const what = { name: "Postgres", logFile, withinMs: 60_000 };
  await waitUntilReady(running, what, () => answers(url), signal);
  return running;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
