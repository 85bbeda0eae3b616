// Brings a service's database to the newest of its numbered .sql files, once, however many replicas start together.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "@tradepost/runtime";
import { sql } from "kysely";
import { type Migration, type MigrationResult, Migrator } from "kysely/migration";
import { connectPostgres } from "./connect.ts";
import { onceDatabaseServes } from "./once-database-serves.ts";

/**
 * In: the owner's URL and the folder of `0001-what-it-does.sql` files. Waits for a database that is unavailable, and says
 * so. All pending files run in one transaction under Kysely's lock. A database that a newer version has migrated further
 * stays as it is. Throws the first fault otherwise.
 */
export async function migrate(options: { url: string; folder: URL; logger: Logger }): Promise<void> {
  const results = await onceDatabaseServes(options.logger, () => migrateToLatest(options));
  for (const { migrationName } of results) options.logger.info({ migration: migrationName }, "migrated");
}

/** On a new connection each time: an old one may lead to a server that was demoted and stays read-only. */
async function migrateToLatest(options: {
  url: string;
  folder: URL;
  logger: Logger;
}): Promise<MigrationResult[]> {
  const { url, folder, logger } = options;
  // A large table's new index takes the time it takes.
  const unlimited = { connectionsMax: 1, statementTimeoutMs: 0 };
  const { db, stop } = connectPostgres({ url, name: "migrate", ...unlimited, logger });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(folder) } });
    const all = await migrator.getMigrations();
    // The migrator takes a migration that it does not know for a corrupted history.
    if (all.every(({ executedAt }) => executedAt !== undefined)) return [];
    const { error, results } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    return results ?? [];
  } finally {
    await stop();
  }
}

async function readMigrations(folder: URL): Promise<Record<string, Migration>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  return Object.fromEntries(
    files.map((file, index) => [
      path.basename(file, ".sql"),
      { up: async (db) => void (await sql.raw(texts[index] ?? "").execute(db)) },
    ]),
  );
}
