import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import {
  backoff,
  databaseAddress,
  type Logger,
  migrationSettings,
  RELEASE,
  repeat,
  runTask,
  StartError,
  sleep,
} from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { type Migration, type MigrationResult, Migrator } from "kysely/migration";
import { connectPostgres } from "./connect.ts";
import { retryWhileUnavailable } from "./database-errors.ts";
import {
  logNewerMigrations,
  newerMigrations,
  promiseOf,
  readExecutedMigrations,
  recordPromise,
} from "./migration-promises.ts";

/** Runs the migrations of a service, as the owner of the database, and exits. */
export async function runMigrations(service: string, folder: URL): Promise<never> {
  return await runTask(`${service}.migrate`, migrationSettings(service), (settings, logger) => {
    const url = String(settings[`${service.toUpperCase()}_OWNER_DATABASE_URL`]);
    return migrate({ url: databaseAddress(url, settings), folder, logger });
  });
}

interface MigrateOptions {
  readonly url: string;
  readonly folder: URL;
  /** For tests. */
  readonly release?: string;
  readonly logger: Logger;
}

// Postgres resolves a deadlock after a second, and may choose the request. A waiting migration also keeps every other request from
// the table, so it gives up sooner.
const LOCK_TIMEOUT_MS = 200;
// An autovacuum that holds the lock gives way to a migration after a second, so every fifth run waits longer.
const LONG_LOCK_TIMEOUT_MS = 1_500;
const RUNS_PER_LONG_WAIT = 5;
const LOCKED_BACKOFF = { minMs: 500, maxMs: 10_000 };
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs each pending migration in a transaction of its own, because the locks of several could deadlock with requests, and stores the
 * releases with which it promises to work. Waits for a database that is unavailable, and for locks, and logs that. A database that a newer
 * release has migrated further is left as it is (docs/decisions/0018).
 * @throws StartError if a newer release's migration does not promise to work with this release, or if this release has migrations to run on
 * top of it.
 * @throws the first migration's error.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const results = await retryWhileUnavailable(options.logger, () => runWhileLocked(options));
  for (const { migrationName } of results) options.logger.info({ migration: migrationName }, "migrated");
}

async function runWhileLocked(options: MigrateOptions): Promise<MigrationResult[]> {
  for (let runs = 1; ; runs += 1) {
    const lockTimeoutMs = runs % RUNS_PER_LONG_WAIT === 0 ? LONG_LOCK_TIMEOUT_MS : LOCK_TIMEOUT_MS;
    // The first run rarely waits, and does without the connection.
    const locks = runs > 1 ? watchLocks(options) : undefined;
    try {
      return await runPending(options, lockTimeoutMs);
    } catch (error) {
      if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      options.logger.warn(
        { err: error, holders: locks?.holders() },
        "a migration waits for a lock that another session holds",
      );
    } finally {
      await locks?.stop();
    }
    await sleep(backoff(runs - 1, LOCKED_BACKOFF));
  }
}

const WATCH_EVERY_MS = 50;
// Without the rights of `pg_read_all_stats`, the session of another role shows only its process and its login.
const HOLDERS = `
  select holder.pid, holder.usename as login, holder.application_name as application, holder.state,
         holder.xact_start as "transactionSince"
    from pg_stat_activity as waiting
         cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
         join pg_stat_activity as holder on holder.pid = blocking.pid
   where waiting.datname = current_database() and waiting.application_name = 'migrate'`;

/** Watches while migrations wait: after they give up, the sessions with the locks are unknown. */
function watchLocks({ url, logger }: MigrateOptions) {
  let holders: readonly object[] = [];
  const once = { connectionsMax: 1, prepare: false };
  const { pool, stop } = connectPostgres({ url, name: "migrate.locks", ...once, logger });
  const watch = repeat(async () => {
    const { rows } = await pool.query<object>(HOLDERS).catch(() => ({ rows: [] }));
    if (rows.length > 0) holders = rows;
    return WATCH_EVERY_MS;
  });
  return {
    holders: () => holders,
    stop: async () => {
      await watch.stop();
      await stop();
    },
  };
}

/** Connects anew each time: an old connection may lead to a demoted server. */
async function runPending(options: MigrateOptions, lockTimeoutMs: number): Promise<MigrationResult[]> {
  const { url, folder, release = RELEASE, logger } = options;
  // If the connection ends during a migration, Kysely throws a different error, about the lock that it cannot release.
  let failure: unknown;
  const migrations = await migrationsIn(folder, lockTimeoutMs, (error) => {
    failure = error;
  });
  // Creating an index on a large table may take long.
  const once = { connectionsMax: 1, statementTimeoutMs: 0, prepare: false };
  const { db, pool, stop } = connectPostgres({ url, name: "migrate", ...once, logger });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const pending = (await migrator.getMigrations()).filter(({ executedAt }) => executedAt === undefined);
    const newer = newerMigrations(await readExecutedMigrations(pool), Object.keys(migrations), release);
    // Kysely would report such a database as corrupted.
    if (newer.length > 0 && pending.length > 0)
      throw new StartError(
        `migration ${pending[0]?.name} of release ${release} cannot run after ${newer[0]}, which this release does not know: deploy a release that has both`,
      );
    logNewerMigrations(newer, release, logger);
    if (pending.length === 0) return [];
    return await runEach(migrator);
  } catch (error) {
    throw failure ?? error;
  } finally {
    await stop();
  }
}

async function runEach(migrator: Migrator): Promise<MigrationResult[]> {
  const done: MigrationResult[] = [];
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error !== undefined) throw error;
    if (results.length === 0) return done;
    done.push(...results);
  }
}

async function migrationsIn(
  folder: URL,
  lockTimeoutMs: number,
  onFailure: (error: unknown) => void,
): Promise<Record<string, Migration>> {
  const migrations = [...(await readMigrations(folder))].map(([name, text]) => {
    const oldest = promiseOf(name, text);
    const up = async (db: Kysely<unknown>) => {
      try {
        await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(db);
        await sql.raw(text).execute(db);
        if (oldest !== undefined) await recordPromise(db, name, oldest);
      } catch (error) {
        onFailure(error);
        throw error;
      }
    };
    return [name, { up }];
  });
  return Object.fromEntries(migrations);
}

/** Reads the migrations of the folder in order, by the name of the file without `.sql`. */
export async function readMigrations(folder: URL): Promise<Map<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const texts = await Promise.all(files.map((file) => readWithIncludes(new URL(file, folder))));
  return new Map(files.map((file, index) => [path.basename(file, ".sql"), texts[index] ?? ""]));
}

const INCLUDE = /^-- include: (\S+)$/;

async function readWithIncludes(file: URL): Promise<string> {
  // Resolved as the including package would import it.
  const { resolve } = createRequire(file);
  const lines = (await readFile(file, "utf8")).split("\n").map(async (line) => {
    const included = INCLUDE.exec(line)?.[1];
    return included === undefined ? line : await readFile(resolve(included), "utf8");
  });
  return (await Promise.all(lines)).join("\n");
}
