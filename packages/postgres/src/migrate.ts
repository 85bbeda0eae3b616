// Runs a service's migrations, once, however many replicas start at the same time.
import type { Logger } from "@tradepost/runtime";
import { sql } from "kysely";
import { type Migration, type MigrationResult, Migrator } from "kysely/migration";
import { connectPostgres } from "./connect.ts";
import { readMigrations } from "./read-migrations.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";

interface MigrateOptions {
  /** The database as its owner. */
  readonly url: string;
  /** The folder of `0001-what-it-does.sql` files. */
  readonly folder: URL;
  /** The last migration to run, for tests; all by default. */
  readonly upTo?: string;
  readonly logger: Logger;
}

/**
 * Runs all pending migrations in one transaction, under Kysely's lock. Waits for a database that is unavailable and logs
 * that. A database that a newer version has migrated further is left as it is.
 *
 * @throws the first migration's error.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const results = await retryWhileUnavailable(options.logger, () => runPending(options));
  for (const { migrationName } of results) options.logger.info({ migration: migrationName }, "migrated");
}

/** Connects anew each time: an old connection may lead to a server that was demoted and stays read-only. */
async function runPending({ url, folder, upTo, logger }: MigrateOptions): Promise<MigrationResult[]> {
  // Creating an index on a large table may take long.
  const once = { connectionsMax: 1, statementTimeoutMs: 0, prepare: false };
  const { db, stop } = connectPostgres({ url, name: "migrate", ...once, logger });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => migrationsIn(folder) } });
    const all = await migrator.getMigrations();
    // Kysely rejects a database with migrations that it does not know, as after a newer version.
    if (all.every(({ executedAt }) => executedAt !== undefined)) return [];
    const { error, results } = await (upTo === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(upTo));
    if (error !== undefined) throw error;
    return results ?? [];
  } finally {
    await stop();
  }
}

async function migrationsIn(folder: URL): Promise<Record<string, Migration>> {
  const texts = await readMigrations(folder);
  return Object.fromEntries(
    [...texts].map(([name, text]) => [name, { up: async (db) => void (await sql.raw(text).execute(db)) }]),
  );
}
