// Opens a service's database: one bounded pool, and Kysely over it.
import type { Socket } from "node:net";
import { type Logger, parseJson, settlesWithin } from "@tradepost/runtime";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";

export interface Postgres<Tables> {
  /** For SQL written out by hand. */
  readonly pool: pg.Pool;
  /** For SQL built from the tables' types. */
  readonly db: Kysely<Tables>;
  /** Resolves where the database answers; rejects where it does not. For `/readyz`. */
  ping(): Promise<void>;
  /** Ends the connections. One that is still in use after 2 s, or whose server does not respond, is cut. */
  stop(): Promise<void>;
}

// A caller who waits longer for a connection or a statement is better served by a 503.
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 30_000;
// Whoever uses the pool has stopped before, so this is the time for a farewell, which a server that is gone never sends.
const END_TIMEOUT_MS = 2_000;
// Or the text of a timestamp, and the day it belongs to, would depend on the server, the database and the role.
const TIME_ZONE = { TimeZone: "UTC" };

/**
 * In: a postgres:// URL, the name shown in pg_stat_activity, the pool's bound.
 * Out: pool and Kysely. Connects lazily: a database that is down is found out by the first query.
 * JSON columns are read without losing a digit; numeric stays a string. Every session is in UTC.
 */
export function connectPostgres<Tables>(options: {
  url: string;
  name: string;
  connectionsMax: number;
  /** The role that the connections act as, where it is not the URL's own: one that may do less. */
  role?: string;
  /** What else is set for the connections, in Postgres's own names. */
  settings?: Readonly<Record<string, string>>;
  /** True to send statements without waiting for the ones before them on the same connection. */
  pipeline?: boolean;
  /** 15 seconds unless given; 0 is no limit. */
  statementTimeoutMs?: number;
  logger: Logger;
}): Postgres<Tables> {
  const settings = {
    ...TIME_ZONE,
    ...(options.role !== undefined && { role: options.role }),
    ...options.settings,
  };
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    pipeline: options.pipeline ?? false,
    // Set with the connection itself, so that not even a RESET leads back to the stronger role.
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(" "),
    types: { getTypeParser: typeParser },
  });
  // An idle connection that the server closed is replaced at the next query; unheard, the event would end the process.
  pool.on("error", (error) => options.logger.warn({ err: error }, "idle database connection lost"));
  // One in use says so to its user's query as well, but between two queries of a transaction there is none.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const sockets = trackSockets(pool);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    pool,
    db,
    ping: async () => void (await pool.query("select 1")),
    // Kysely's own way to end leaves a pool open on which only `pool` was used.
    stop: async () => {
      const ended = Promise.all([pool.end(), sockets.closed()]);
      if (await settlesWithin(ended, END_TIMEOUT_MS)) return;
      options.logger.warn({ pool: options.name }, "database connections did not end in time; cutting them");
      sockets.cut();
    },
  };
}

function trackSockets(pool: pg.Pool) {
  const open = new Map<Socket, Promise<void>>();
  pool.on("connect", (client) => {
    // Not among pg's declared types.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const closed = Promise.withResolvers<void>();
    open.set(stream, closed.promise);
    stream.once("close", () => {
      open.delete(stream);
      closed.resolve();
    });
  });
  return {
    closed: () => Promise.all(open.values()),
    cut: () => {
      for (const socket of open.keys()) socket.destroy();
    },
  };
}

// pg's declared type wants one function per overload; ours answers all of them.
const typeParser = ((oid: number, format?: "text" | "binary") =>
  oid === pg.types.builtins.JSON || oid === pg.types.builtins.JSONB
    ? parseJson
    : pg.types.getTypeParser(oid, format as "text")) as typeof pg.types.getTypeParser;
