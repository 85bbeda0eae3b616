// Postgres servers that tests and chaos start, stop and copy, below one directory.
import { execFile } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { claimPorts } from "../process/ports.ts";
import { provideBackupBinaries } from "./postgres-binaries.ts";

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
// Several servers must fit on a small machine, and a test may lose its last commits in a power failure.
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 16MB
max_connections = 200
fsync = off
wal_level = replica
`;

export async function openPostgresServers() {
  const { account, directory: programs, environment } = await provideBackupBinaries(() => {});
  const root = mkdtempSync(path.join(os.tmpdir(), "tradepost-postgres-"));
  chmodSync(root, 0o711);
  const running = new Set<string>();
  const program = (name: string, ...args: string[]) =>
    run(path.join(programs, name), args, { ...account, env: environment, cwd: "/", timeout: TIMEOUT_MS });
  const own = (file: string) => {
    if (account !== undefined) chownSync(file, account.uid, account.gid);
  };
  const stop = async (data: string, mode: "fast" | "immediate") => {
    running.delete(data);
    await program("pg_ctl", "-D", data, "-m", mode, "-w", "stop");
  };
  return {
    root,
    /** `uid:gid`, for chown. */
    owner: account === undefined ? String(process.getuid?.()) : `${account.uid}:${account.gid}`,
    own,
    program,
    directory: (name: string): string => {
      const created = path.join(root, name);
      mkdirSync(created, { mode: 0o700 });
      own(created);
      return created;
    },
    initialize: (data: string) =>
      program(
        ...(["initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"] as const),
        ...["--locale=C", "--no-sync"],
      ),
    configure: (data: string, settings: string): void =>
      writeFileSync(path.join(data, "postgresql.auto.conf"), SETTINGS + settings),
    start: async (data: string): Promise<string> => {
      const { postgres: port } = await claimPorts(path.join(root, `${path.basename(data)}.ports.json`), [
        "postgres",
      ]);
      const log = path.join(data, "server.log");
      const args = ["-D", data, "-l", log, "-o", `-p ${port}`, "-w", "-t", "60", "start"];
      await program("pg_ctl", ...args).catch((error: Error) => {
        throw new Error(`${error.message}\n${readFileSync(log, "utf8").split("\n").slice(-15).join("\n")}`);
      });
      running.add(data);
      return `postgres://postgres@127.0.0.1:${port}/postgres`;
    },
    stop,
    stopAll: async () => {
      for (const data of [...running]) await stop(data, "immediate");
      rmSync(root, { recursive: true, force: true });
    },
  };
}
