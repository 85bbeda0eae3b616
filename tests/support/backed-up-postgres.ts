// A Postgres server that archives its WAL, a base backup of it, and copies of the backup that are recovered to a moment: the
// steps of docs/runbooks/restore.md.
import { execFile } from "node:child_process";
import { chmodSync, cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { execute, openPostgresServers } from "@tradepost/devstack";
import { until } from "@tradepost/testing";

export type BackedUpPostgres = Awaited<ReturnType<typeof startBackedUpPostgres>>;

export async function startBackedUpPostgres() {
  const servers = await openPostgresServers();
  const archive = servers.directory("archive");
  const base = servers.directory("base");
  const primary = servers.directory("primary");
  await servers.initialize(primary);
  servers.configure(primary, `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`);
  const url = await servers.start(primary);

  return {
    url,
    takeBaseBackup: async () => {
      const options = ["--checkpoint=fast", "--wal-method=none", "--no-sync"];
      await servers.program("pg_basebackup", "-d", url, "-D", base, ...options);
    },
    /** Creates a restore point with this name, and returns its time. */
    markMoment: (name: string) =>
      execute(url, "select pg_create_restore_point($1), clock_timestamp() as at", [name]).then(
        ([row]) => row?.at as Date,
      ),
    /** Kills the server as soon as all its WAL is archived. */
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
      await servers.stop(primary, "immediate");
    },
    /** Recovers a copy of the base backup to the restore point, or to the end of the archive, and resolves with its URL. */
    restore: async (moment: string | null) => {
      const copy = path.join(servers.root, `restored-${moment ?? "end"}`);
      cpSync(base, copy, { recursive: true });
      await promisify(execFile)("chown", ["-R", servers.owner, copy]);
      chmodSync(copy, 0o700);
      const target =
        moment === null ? "" : `recovery_target_name = '${moment}'\nrecovery_target_action = 'promote'\n`;
      servers.configure(copy, `archive_mode = off\nrestore_command = 'cp ${archive}/%f %p'\n${target}`);
      writeFileSync(path.join(copy, "recovery.signal"), "");
      servers.own(path.join(copy, "recovery.signal"));
      const restoredUrl = await servers.start(copy);
      await until("the end of the recovery", async () => {
        const [state] = await execute(restoredUrl, "select pg_is_in_recovery() as recovering");
        return state?.recovering === false;
      });
      return restoredUrl;
    },
    stop: servers.stopAll,
  };
}
