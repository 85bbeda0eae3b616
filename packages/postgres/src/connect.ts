import { parseJson } from "@tradepost/json";
import { hasPooler, type Logger, type Metrics, settlesWithin } from "@tradepost/runtime";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { storageFault } from "./database-errors.ts";
import { connectionOf } from "./pg-internals.ts";
import { failUnreplicated, replicationOf } from "./replication.ts";
import { Session, type SessionConfig } from "./session.ts";
import { trackSockets, watchSilence } from "./silent-server.ts";
import { NO_NAMES, statementNames } from "./statement-names.ts";
import { watchPool } from "./watch-pool.ts";

export interface Postgres<Tables> {
  readonly pool: pg.Pool;
  readonly db: Kysely<Tables>;
  /**
   * Rejects if the database does not respond or accepts no changes, or no commit reaches a standby. Once a minute, and after each fault of
   * the storage, Postgres writes a small file for this check.
   */
  ping(): Promise<void>;
  /** Resolves once the synchronous standbys, if there are any, have what was visible before (`replication.ts`). */
  replicated(): Promise<void>;
  /** Destroys connections that are still in use, or whose server does not respond, after 2 s. */
  stop(): Promise<void>;
}

// Reads succeed on a replica, and where `default_transaction_read_only` is set.
const IS_READ_ONLY =
  "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as is_read_only";
const READ_ONLY = "25006";
// Reads succeed on a full disk. Rows larger than `work_mem` go to a temporary file, which needs no right to any table.
const WRITE_FILE = `
  select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true);
  select count(*) from generate_series(1, 20000)`;
const WRITE_FILE_EVERY_MS = 60_000;
// A database may stay read-only, for maintenance.
const LEAVE_EVERY_MS = 1_000;
// After this time a caller is better served by a 503.
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
// Opening a connection costs as much as dozens of statements.
const IDLE_TIMEOUT_MS = 5 * 60_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
// Networks forget connections that are idle for some minutes.
const KEEP_ALIVE_AFTER_MS = 30_000;
// The pool's users have stopped by then. A lost server never responds.
const END_TIMEOUT_MS = 2_000;
// Less than the timeout of a probe of /readyz.
const PING_REPLICATION_MS = 1_400;
const SETTINGS = {
  // Without it, the text and the day of a timestamp would depend on the settings of the server, the database and the role.
  TimeZone: "UTC",
  // Lets through the warning that a commit may be on no standby.
  client_min_messages: "warning",
};

/** The settings with which a part of a service opens a pool of its own. */
export interface DatabaseAccess {
  readonly url: string;
  /** Has fewer rights than the URL's user, who is the default. */
  readonly role?: string;
  /** False for a pooler that cannot carry prepared statements; true by default. */
  readonly prepare?: boolean;
}

export interface PostgresOptions extends DatabaseAccess {
  readonly name: string;
  readonly connectionsMax: number;
  /** Further Postgres settings, by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True to send statements without waiting for earlier ones on the same connection. */
  readonly pipeline?: boolean;
  /** 5 s by default. */
  readonly connectTimeoutMs?: number;
  /** 15 s by default; 0 means no limit. */
  readonly statementTimeoutMs?: number;
  readonly metrics?: Metrics;
  readonly logger: Logger;
}

/** Connects lazily. Sessions are in UTC. JSON keeps every digit; `numeric` stays a string. Statements are prepared. */
export function connectPostgres<Tables>(options: PostgresOptions): Postgres<Tables> {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const pool = new pg.Pool(poolConfig(options, statementTimeoutMs));
  // Without a listener an idle connection that the server closed would end the process.
  pool.on("error", (error) => options.logger.warn({ err: error }, "lost an idle database connection"));
  // Between two queries of a transaction, only this listener hears the error.
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("connect", failUnreplicated);
  if (options.metrics !== undefined) watchPool(options.metrics, pool);
  const sockets = trackSockets(pool);
  const leave = leaving(sockets, options);
  let fileWrittenAt = Number.NEGATIVE_INFINITY;
  pool.on("connect", (client) => {
    const connection = connectionOf(client);
    connection.on("errorMessage", (error) => {
      const { code, severity } = error;
      if (storageFault(error) !== undefined) fileWrittenAt = Number.NEGATIVE_INFINITY;
      // Otherwise the pool could give it to another statement before Postgres closes it.
      if (severity === "FATAL") connection.stream.destroy();
      leave(code);
    });
  });
  const endWatch = watchSilence(pool, statementTimeoutMs, (error) => {
    options.logger.warn({ pool: options.name }, "the database does not respond; connecting anew");
    sockets.destroyIdle(error);
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const replicated = replicationOf(pool);
  return {
    pool,
    db,
    ping: async () => {
      const { rows } = await pool.query(IS_READ_ONLY);
      if (rows[0]?.is_read_only) {
        leave(READ_ONLY);
        throw new Error("the database is read-only");
      }
      if (performance.now() - fileWrittenAt > WRITE_FILE_EVERY_MS) {
        await pool.query(WRITE_FILE);
        fileWrittenAt = performance.now();
      }
      await replicated(PING_REPLICATION_MS);
    },
    replicated: () => replicated(),
    // Kysely's destroy would leave the pool open if only `pool` was used.
    stop: async () => {
      endWatch();
      const ended = Promise.all([pool.end(), sockets.closed()]);
      if (await settlesWithin(ended, END_TIMEOUT_MS)) return;
      options.logger.warn(
        { pool: options.name },
        "database connections did not close in time; destroying them",
      );
      sockets.destroy();
    },
  };
}

function poolConfig(options: PostgresOptions, statementTimeoutMs: number): pg.PoolConfig & SessionConfig {
  const settings = {
    ...SETTINGS,
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT_MS),
    ...(options.role !== undefined && { role: options.role }),
    ...options.settings,
  };
  const isBehindPooler = hasPooler(options.url);
  return {
    // The pool passes this configuration to the constructor, which is not among pg's declared types.
    Client: Session as unknown as new () => Session,
    names: options.prepare === false ? NO_NAMES : statementNames(options.name, options.logger),
    connectionString: options.url,
    application_name: options.name,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    pipeline: options.pipeline ?? false,
    // So that RESET does not return to the stronger role.
    ...(isBehindPooler ? { transactionSettings: settings } : { options: startParameters(settings) }),
    types: { getTypeParser: typeParser },
  };
}

function startParameters(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

const typeParser = ((oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.JSON || oid === pg.types.builtins.JSONB
    ? parseJson
    : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;

/**
 * Closes all connections if the database is read-only: after a failover, connections to the former primary would refuse changes and return
 * old rows. New connections go to the server that the address then leads to.
 */
function leaving(sockets: { destroy(): void }, { name, logger }: { name: string; logger: Logger }) {
  let leftAt = Number.NEGATIVE_INFINITY;
  return (code: string | undefined) => {
    if (code !== READ_ONLY || performance.now() - leftAt < LEAVE_EVERY_MS) return;
    leftAt = performance.now();
    logger.warn({ pool: name }, "the database is read-only; connecting anew");
    sockets.destroy();
  };
}
