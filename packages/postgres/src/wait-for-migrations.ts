// Waits until a service's database has what the service needs: its migrations run in another process, as the owner.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { type Logger, sleep } from "@tradepost/runtime";
import type { Pool } from "pg";
import { connectPostgres } from "./connect.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";

const LOOK_EVERY_MS = 500;
// 42P01: nothing has been migrated yet. 42501: the role has not been granted anything yet.
const NOT_MIGRATED = new Set(["42P01", "42501"]);

/**
 * In: the service's own URL and role, and the folder of its migrations. Resolves when the database answers and each of
 * these migrations has run; says once what it waits for. Migrations of a newer version are no obstacle. Throws where the
 * database refuses the login.
 */
export async function waitForMigrations(options: {
  url: string;
  role: string;
  folder: URL;
  logger: Logger;
}): Promise<void> {
  const { folder, logger, ...as } = options;
  const needed = (await readdir(folder)).filter((file) => file.endsWith(".sql"));
  const names = needed.map((file) => path.basename(file, ".sql")).sort();
  const { pool, stop } = connectPostgres({ ...as, name: "wait-for-migrations", connectionsMax: 1, logger });
  try {
    for (let said = ""; ; ) {
      const missing = await findMissing(pool, names);
      if (missing === null) return;
      const { waitingFor, ...details } = missing;
      if (said !== waitingFor) logger.warn(details, `waiting for ${waitingFor}`);
      said = waitingFor;
      await sleep(LOOK_EVERY_MS);
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
