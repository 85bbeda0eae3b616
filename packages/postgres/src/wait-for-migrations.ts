// Migrations run in another process, as the owner of the database. A service waits for them at its start.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Logger, sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import { connectPostgres } from "./connect.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";
import { logNewerMigrations, newerMigrations, readExecutedMigrations } from "./migration-promises.ts";
import { RELEASE } from "./release.ts";

const POLL_EVERY_MS = 500;
// The role has no rights yet.
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * Resolves when the database responds and all migrations of the folder have run. A newer release may have run more, if each
 * promises to work with this release (interface §16). Logs what it waits for. `url` and `role` are the service's own.
 *
 * @throws StartError if a newer release's migration does not promise to work with this release.
 * @throws if the database refuses the login.
 */
export async function waitForMigrations(options: {
  url: string;
  role: string;
  folder: URL;
  /** The release of this code, for tests. */
  release?: string;
  logger: Logger;
}): Promise<void> {
  const { folder, release = RELEASE, logger, ...login } = options;
  const needed = (await readdir(folder)).filter((file) => file.endsWith(".sql"));
  const names = needed.map((file) => path.basename(file, ".sql")).sort();
  const { pool, stop } = connectPostgres({
    ...login,
    name: "wait-for-migrations",
    connectionsMax: 1,
    prepare: false,
    logger,
  });
  try {
    for (let loggedReason = ""; ; ) {
      const { waitingFor, newer, ...details } = await compare(pool, names, release);
      if (waitingFor === undefined) return logNewerMigrations(newer, release, logger);
      if (loggedReason !== waitingFor) logger.warn(details, `waiting for ${waitingFor}`);
      loggedReason = waitingFor;
      await sleep(POLL_EVERY_MS);
    }
  } finally {
    await stop();
  }
}

async function compare(pool: Pool, names: readonly string[], release: string) {
  try {
    const executed = await readExecutedMigrations(pool);
    const newer = newerMigrations(executed, names, release);
    const missing = names.filter((name) => !executed.names.includes(name));
    return missing.length === 0 ? { newer } : { waitingFor: "migrations", newer, missing };
  } catch (error) {
    if (isDatabaseUnavailable(error)) return { waitingFor: "the database", newer: [], err: error };
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE)
      return { waitingFor: "migrations", newer: [], err: error };
    throw error;
  }
}
