// Migrations run in another process, as the owner of the database. A service waits for them at its start.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Logger, sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import { connectPostgres } from "./connect.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";

const POLL_EVERY_MS = 500;
// 42P01: the table of migrations does not exist yet. 42501: the role has no rights yet.
const NOT_MIGRATED = new Set(["42P01", "42501"]);

/**
 * Resolves when the database responds and all migrations of the folder have run; a newer version may have run more. Logs what
 * it waits for. `url` and `role` are the service's own.
 *
 * @throws if the database refuses the login.
 */
export async function waitForMigrations(options: {
  url: string;
  role: string;
  folder: URL;
  logger: Logger;
}): Promise<void> {
  const { folder, logger, ...login } = options;
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
      const missing = await findMissing(pool, names);
      if (missing === null) return;
      const { waitingFor, ...details } = missing;
      if (loggedReason !== waitingFor) logger.warn(details, `waiting for ${waitingFor}`);
      loggedReason = waitingFor;
      await sleep(POLL_EVERY_MS);
    }
  } finally {
    await stop();
  }
}

async function findMissing(pool: Pool, names: readonly string[]) {
  try {
    const { rows } = await pool.query<{ name: string }>("select name from kysely_migration");
    const done = new Set(rows.map(({ name }) => name));
    const missing = names.filter((name) => !done.has(name));
    return missing.length === 0 ? null : { waitingFor: "migrations", missing };
  } catch (error) {
    if (isDatabaseUnavailable(error)) return { waitingFor: "the database", err: error };
    if (NOT_MIGRATED.has(String((error as { code?: unknown }).code)))
      return { waitingFor: "migrations", err: error };
    throw error;
  }
}
