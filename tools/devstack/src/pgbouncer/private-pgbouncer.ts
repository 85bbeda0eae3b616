// PgBouncer in transaction mode in front of a Postgres server, for tests: an installed one, or the package of Debian and its
// derivatives. It listens on 127.0.0.1 only.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { installedProgram, unpackedPackages } from "../debian/debian-packages.ts";
import { enterable, unprivilegedAccount } from "../postgres/postgres-binaries.ts";
import { claimPorts, isListening } from "../process/ports.ts";
import { serverProgram } from "../process/program.ts";

export type PrivatePgbouncer = Awaited<ReturnType<typeof startPgbouncer>>;

interface PgbouncerProgram {
  readonly command: string;
  readonly env: Record<string, string>;
}

export async function findPgbouncer(log: (line: string) => void): Promise<PgbouncerProgram | undefined> {
  const installed = installedProgram("pgbouncer");
  if (installed !== undefined) return { command: installed, env: {} };
  const found = await unpackedPackages({ name: "pgbouncer", install: "pgbouncer" }, log);
  if (found === undefined) return undefined;
  const tree = enterable(found.tree);
  return {
    command: path.join(tree, "usr/sbin/pgbouncer"),
    env: { LD_LIBRARY_PATH: found.libraryPath.replaceAll(found.tree, tree) },
  };
}

/** The databases must be on one server. `connectionsMax` is the number of connections to it for each login and database. */
export async function startPgbouncer(
  program: PgbouncerProgram,
  databaseUrls: readonly string[],
  connectionsMax: number,
) {
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
  const options = {
    ...{ ...program, args: [configuration], cwd: "/", account: unprivilegedAccount() },
    ...{ stopSignal: "SIGKILL" as const, stopTimeoutMs: 5_000 },
  };
  const ready = { title: "PgBouncer", timeoutMs: 30_000, isReady: () => isListening(port) };
  const running = await serverProgram(directory, "pgbouncer", options, ready).start();
  return {
    through: (databaseUrl: string) => {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    stop: async () => {
      await running.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
