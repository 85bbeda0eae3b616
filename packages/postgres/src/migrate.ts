// Brings a service's database to the newest of its numbered .sql files, once, however many replicas start together.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "@tradepost/runtime";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { connectPostgres } from "./connect.ts";
import { isDatabaseUnavailable } from "./database-errors.ts";

const RETRY_DATABASE_MS = 500;

/**
 * In: the owner's URL and the folder of `0001-what-it-does.sql` files. Waits for a database that is not up yet, and
 * says so. All pending files run in one transaction under Kysely's lock, on a connection of their own that is closed
 * again: what the service does afterwards it may do in a weaker role. Throws the first fault otherwise.
 */
export async function migrate(options: { url: string; folder: URL; logger: Logger }): Promise<void> {
  const { url, logger } = options;
  // A large table's new index takes the time it takes.
  const { db, stop } = connectPostgres({
    url,
    name: "migrate",
    connectionsMax: 1,
    statementTimeoutMs: 0,
    logger,
  });
  const migrator = new Migrator({ db, provider: { getMigrations: () => readMigrations(options.folder) } });
  try {
    await migrateWhenUp(migrator, logger);
  } finally {
    await stop();
  }
}

async function migrateWhenUp(migrator: Migrator, logger: Logger): Promise<void> {
  for (let waited = false; ; waited = true) {
    const { error, results } = await migrator.migrateToLatest();
    if (error === undefined) {
      for (const result of results ?? []) logger.info({ migration: result.migrationName }, "migrated");
      return;
    }
    if (!isDatabaseUnavailable(error)) throw error;
    if (!waited) logger.warn({ err: error }, "waiting for the database");
    await new Promise((resolve) => setTimeout(resolve, RETRY_DATABASE_MS));
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
