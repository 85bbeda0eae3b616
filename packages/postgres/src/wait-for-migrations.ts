// Migrations run in another process, as the owner of the database. A service waits for them at its start.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Logger, RELEASE, sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import { connectPostgres } from "./connect.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { logNewerMigrations, newerMigrations, readExecutedMigrations } from "./migration-promises.ts";
import { checkMemberships, explainRefusal, isDatabaseForbidden, isRoleRefused } from "./refused-login.ts";

const POLL_EVERY_MS = 500;
// Means here that the role has no rights yet.
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Resolves with the newest migration that has run when the database responds and all migrations of the folder have run. A newer release may have run further
 * migrations, if each promises to work with this release (docs/decisions/0018). Logs what it waits for. `url` and `roles` are
 * the service's own; the first role reads the table of migrations.
 *
 * @throws StartError if the database refuses the login, if the login may not act as one of the roles, or if a newer release's
 * migration does not promise to work with this release.
 */
export async function waitForMigrations(options: {
  url: string;
  roles: readonly [string, ...string[]];
  folder: URL;
  /** The release of this code, for tests. */
  release?: string;
  logger: Logger;
}): Promise<string | undefined> {
  const { url, roles, folder, release = RELEASE, logger } = options;
  const needed = (await readdir(folder)).filter((file) => file.endsWith(".sql"));
  const names = needed.map((file) => path.basename(file, ".sql")).sort();
  const { pool, stop } = connectPostgres({
    url,
    role: roles[0],
    name: "wait-for-migrations",
    connectionsMax: 1,
    prepare: false,
    logger,
  });
  try {
    for (let loggedReason = ""; ; ) {
      const { waitingFor, newer, isRoleRefused, details } = await compare(pool, names, release);
      if (waitingFor === undefined || isRoleRefused) await checkMemberships(url, roles, logger);
      if (waitingFor === undefined) {
        logNewerMigrations(newer, release, logger);
        return newer.at(-1) ?? names.at(-1);
      }
      if (loggedReason !== waitingFor) logger.warn(details, `waiting for ${waitingFor}`);
      loggedReason = waitingFor;
      await sleep(POLL_EVERY_MS);
    }
  } catch (error) {
    throw explainRefusal(error, url);
  } finally {
    await stop();
  }
}

interface Comparison {
  /** The executed migrations of a newer release. */
  readonly newer: readonly string[];
  /** Absent if there is nothing to wait for. */
  readonly waitingFor?: string;
  readonly isRoleRefused?: boolean;
  /** Fields for the log line. */
  readonly details?: object;
}

async function compare(pool: Pool, names: readonly string[], release: string): Promise<Comparison> {
  try {
    const executed = await readExecutedMigrations(pool);
    const newer = newerMigrations(executed, names, release);
    const missing = names.filter((name) => !executed.names.includes(name));
    return missing.length === 0 ? { newer } : { waitingFor: "migrations", newer, details: { missing } };
  } catch (error) {
    const waiting = { newer: [], details: { err: error } };
    if (isDatabaseUnavailable(error)) return { waitingFor: "the database", ...waiting };
    if (isDatabaseForbidden(error)) throw error;
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE)
      return { waitingFor: "migrations", isRoleRefused: isRoleRefused(error), ...waiting };
    throw error;
  }
}
