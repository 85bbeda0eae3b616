// Finds the programs of a Postgres server, including those for backups, which the npm packages lack: installed ones, or the
// distribution's packages, unpacked.
import { existsSync } from "node:fs";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";
import {
  type Account,
  accessibleCopy,
  canEnter,
  installedDirectories,
  unprivilegedAccount,
} from "./postgres-binaries.ts";

export interface BackupBinaries {
  /** Contains `initdb`, `pg_ctl` and `pg_basebackup`. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The account to run them as, because Postgres does not run as root. */
  readonly account: Account | undefined;
}

/** Rejects when they are neither installed nor available as a package. */
export async function provideBackupBinaries(log: (line: string) => void): Promise<BackupBinaries> {
  const account = unprivilegedAccount();
  const find = (root: string) =>
    installedDirectories(root).find(
      (directory) => existsSync(path.join(directory, "pg_basebackup")) && canEnter(account, directory),
    );
  const environment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const installed = find("");
  if (installed !== undefined) return { directory: installed, environment, account };
  const unpacked = await unpackedPackages({ name: "postgres", install: "postgresql" }, log);
  const tree = unpacked === undefined ? "" : enterable(unpacked.tree, account);
  const directory = find(tree);
  if (unpacked === undefined || directory === undefined)
    throw new Error("pg_basebackup is not available: install the Postgres server programs.");
  const libraries = unpacked.libraryPath.replaceAll(unpacked.tree, tree);
  return { directory, environment: { ...environment, LD_LIBRARY_PATH: libraries }, account };
}

/** Returns the tree, or a copy of it if the account may not enter its directory. */
function enterable(tree: string, account: Account | undefined): string {
  return canEnter(account, tree) ? tree : accessibleCopy(tree);
}
