// A Postgres server that archives its WAL, its base backup, and copies of it that are recovered to a moment: the steps of
// docs/runbooks/restore.md.
import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { type BackupBinaries, claimPorts, provideBackupBinaries } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import pg from "pg";

const run = promisify(execFile);
const TIMEOUT_MS = 60_000;
// Several servers at once on a small machine; a backup of a test may lose its last commits in a power failure.
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 16MB
max_connections = 200
fsync = off
wal_level = replica
`;

export type BackedUpPostgres = Awaited<ReturnType<typeof startBackedUpPostgres>>;

export async function startBackedUpPostgres() {
  const binaries = await provideBackupBinaries(() => {});
  const root = mkdtempSync(path.join(os.tmpdir(), "tradepost-backup-"));
  chmodSync(root, 0o711);
  const running = new Set<string>();
  const directory = (name: string) => {
    const created = path.join(root, name);
    mkdirSync(created, { mode: 0o700 });
    own(created, binaries);
    return created;
  };
  const program = (name: string, ...args: string[]) =>
    run(path.join(binaries.directory, name), args, {
      ...binaries.account,
      env: binaries.environment,
      cwd: "/",
      timeout: TIMEOUT_MS,
    });
  const archive = directory("archive");
  const base = directory("base");

  const start = async (data: string): Promise<string> => {
    const { postgres: port } = await claimPorts(path.join(root, "ports.json"), ["postgres"]);
    const log = path.join(data, "server.log");
    await program("pg_ctl", "-D", data, "-l", log, "-o", `-p ${port}`, "-w", "-t", "60", "start").catch(
      (error: Error) => {
        throw new Error(`${error.message}\n${readFileSync(log, "utf8").split("\n").slice(-15).join("\n")}`);
      },
    );
    running.add(data);
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  };
  const stop = async (data: string, mode: "fast" | "immediate") => {
    running.delete(data);
    await program("pg_ctl", "-D", data, "-m", mode, "-w", "stop");
  };

  const primary = directory("primary");
  await program(
    "initdb",
    "-D",
    primary,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
  );
  configure(primary, `${SETTINGS}archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`);
  const url = await start(primary);

  return {
    url,
    takeBaseBackup: async () => {
      await program(
        "pg_basebackup",
        "-d",
        url,
        "-D",
        base,
        "--checkpoint=fast",
        "--wal-method=none",
        "--no-sync",
      );
    },
    /** Names this moment, and returns its time. */
    markMoment: (name: string) =>
      execute(url, "select pg_create_restore_point($1), clock_timestamp() as at", [name]).then(
        ([row]) => row?.at as Date,
      ),
    /** Kills the server as soon as the archive has all of its WAL. */
    crash: async () => {
      const [row] = await execute(url, "select pg_walfile_name(pg_switch_wal()) as file");
      await until("the last segment of the WAL to be archived", async () => {
        const [archiver] = await execute(
          url,
          "select last_archived_wal >= $1 as done from pg_stat_archiver",
          [row?.file],
        );
        return archiver?.done === true;
      });
      await stop(primary, "immediate");
    },
    /** Recovers a copy of the base backup to the moment, or to the end of the archive, and resolves to its URL. */
    restore: async (moment: string | null) => {
      const copy = path.join(root, `restored-${moment ?? "end"}`);
      cpSync(base, copy, { recursive: true });
      await run("chown", ["-R", ownerOf(binaries), copy]);
      chmodSync(copy, 0o700);
      const target =
        moment === null ? "" : `recovery_target_name = '${moment}'\nrecovery_target_action = 'promote'\n`;
      configure(copy, `${SETTINGS}archive_mode = off\nrestore_command = 'cp ${archive}/%f %p'\n${target}`);
      writeFileSync(path.join(copy, "recovery.signal"), "");
      own(path.join(copy, "recovery.signal"), binaries);
      const restoredUrl = await start(copy);
      await until("the end of the recovery", async () => {
        const [state] = await execute(restoredUrl, "select pg_is_in_recovery() as recovering");
        return state?.recovering === false;
      });
      return restoredUrl;
    },
    stop: async () => {
      for (const data of [...running]) await stop(data, "immediate");
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function configure(data: string, settings: string): void {
  writeFileSync(path.join(data, "postgresql.auto.conf"), settings);
}

function own(file: string, { account }: BackupBinaries): void {
  if (account !== undefined) chownSync(file, account.uid, account.gid);
}

function ownerOf({ account }: BackupBinaries): string {
  return account === undefined ? String(process.getuid?.()) : `${account.uid}:${account.gid}`;
}

async function execute(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
