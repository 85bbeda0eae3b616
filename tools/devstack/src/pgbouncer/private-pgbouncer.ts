// PgBouncer in transaction mode in front of a Postgres server, for tests: an installed one, or the package of Debian and its
// derivatives. It listens on 127.0.0.1 only.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";
import { accessibleCopy, canEnter, unprivilegedAccount } from "../postgres/postgres-binaries.ts";
import { claimPorts } from "../process/ports.ts";

export interface PrivatePgbouncer {
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

interface PgbouncerProgram {
  readonly file: string;
  readonly environment: Record<string, string>;
}

const INSTALLED = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];

export async function findPgbouncer(log: (line: string) => void): Promise<PgbouncerProgram | undefined> {
  const installed = INSTALLED.find((file) => existsSync(file));
  if (installed !== undefined) return { file: installed, environment: {} };
  const found = await unpackedPackages({ name: "pgbouncer", install: "pgbouncer" }, log);
  if (found === undefined) return undefined;
  const tree = canEnter(unprivilegedAccount(), found.tree) ? found.tree : accessibleCopy(found.tree);
  return {
    file: path.join(tree, "usr/sbin/pgbouncer"),
    environment: { LD_LIBRARY_PATH: found.libraryPath.replaceAll(found.tree, tree) },
  };
}

/** The databases must be on one server. `connectionsMax` is the number of connections to it for each login and database. */
export async function startPgbouncer(
  { file, environment }: PgbouncerProgram,
  databaseUrls: readonly string[],
  connectionsMax: number,
): Promise<PrivatePgbouncer> {
  const directory = mkdtempSync(path.join(os.tmpdir(), "tradepost-pgbouncer-"));
  chmodSync(directory, 0o755);
  const { pgbouncer: port } = await claimPorts(path.join(directory, "ports.json"), ["pgbouncer"]);
  const urls = databaseUrls.map((url) => new URL(url));
  const users = new Map(urls.map(({ username, password }) => [username, decodeURIComponent(password)]));
  writeFileSync(
    path.join(directory, "users.txt"),
    [...users].map(([name, password]) => `"${name}" "${password}"\n`).join(""),
    { mode: 0o644 },
  );
  const databases = urls.map(
    ({ hostname, port: serverPort, pathname }) =>
      `${pathname.slice(1)} = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
  );
  const configuration = path.join(directory, "pgbouncer.ini");
  writeFileSync(
    configuration,
    `[databases]
${[...new Set(databases)].join("\n")}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${directory}/users.txt
pool_mode = transaction
default_pool_size = ${connectionsMax}
max_client_conn = 1000
`,
  );
  const child = spawn(file, [configuration], {
    ...unprivilegedAccount(),
    env: environment,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let log = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PgBouncer has ended:\n${log}`)));
    child.stderr.on("data", (bytes) => {
      log = `${log}${bytes}`.slice(-10_000);
      if (log.includes("process up")) resolve();
    });
  });
  await ready;
  return {
    through: (databaseUrl) => {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}
