// Opens a service's database for the requests of its tenants. Every connection acts as a role that row-level security restricts.
// The tenant is set on the connection in the same round trip as the statement, so it adds no round trip.
import type { Logger, Metrics, Tracer } from "@tradepost/runtime";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import { connectPostgres } from "./connect.ts";
import { startGroupCommit, type TenantStatement } from "./group-commit.ts";
import { type Session, sessionOf, type TenantSession } from "./session.ts";
import type { TenantDatabase } from "./tenant.ts";
import { tracedTenant } from "./traced-tenant.ts";
import { transactionOn } from "./with-client.ts";

/** The databases of all tenants, over one pool. */
export interface TenantDatabases<Tables> {
  of(tenantId: string): TenantDatabase<Tables>;
  /** Rejects if the database does not respond, accepts no changes, or no commit reaches a standby. For `/readyz`. */
  ping(): Promise<void>;
  /** Resolves once the synchronous standbys, if there are any, have everything that was visible before. See `replication.ts`. */
  replicated(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens the pool. It can be used only through `of`, which sets the tenant before each use of a connection. If setting it fails, for
 * example because it is cancelled, the connection may still have another tenant: the statement sent after it then rejects with the
 * same error, whatever its own result.
 */
export function connectTenants<Tables>(options: {
  url: string;
  /** The role that the policies of the tables apply to. */
  role: string;
  /** The application name in pg_stat_activity. */
  name: string;
  connectionsMax: number;
  /** 15 s by default; 0 means no limit. */
  statementTimeoutMs?: number;
  /** False for a pooler that cannot carry prepared statements; true by default. */
  prepare?: boolean;
  /** Further Postgres settings of the connections, by name. */
  settings?: Readonly<Record<string, string>>;
  /** Counts the pool's connections. */
  metrics?: Metrics;
  /** Receives spans of the statements of each request; none by default. */
  tracer?: Tracer;
  logger: Logger;
}): TenantDatabases<Tables> {
  const { pool, ping, replicated, stop } = connectPostgres<Tables>({ ...options, pipeline: true });
  const connect = async () => sessionOf(await pool.connect());
  const groupCommit: GroupCommit = startGroupCommit({
    connect,
    runAlone: ({ tenantId, config }) => tenantDatabase(connect, tenantId, groupCommit).query(config),
  });
  const { tracer } = options;
  return {
    of: (tenantId) => {
      const database = tenantDatabase<Tables>(connect, tenantId, groupCommit);
      return tracer?.isOn ? tracedTenant(database, tracer) : database;
    },
    ping,
    replicated,
    stop,
  };
}

type GroupCommit = (statement: TenantStatement) => Promise<QueryResult>;

function tenantDatabase<Tables>(
  connect: () => Promise<Session>,
  tenantId: string,
  groupCommit: GroupCommit,
): TenantDatabase<Tables> {
  const connectTenant = async () => (await connect()).forTenant(tenantId);
  // Created on demand, because that takes microseconds and statements written by hand do not need it.
  const db = () => kyselyOver<Tables>(connectTenant);
  return {
    tenantId,
    get db() {
      return db();
    },
    query: async <Row extends QueryResultRow>(config: QueryConfig) => {
      const session = await connect();
      try {
        return await session.inOnePacket(() => session.forTenant(tenantId).query<Row>(config));
      } finally {
        session.releaseOrClose();
      }
    },
    batched: {
      tenantId,
      get db() {
        return db();
      },
      query: async <Row extends QueryResultRow>(config: QueryConfig) =>
        (await groupCommit({ tenantId, config })) as QueryResult<Row>,
    },
    transaction: async (work) =>
      await transactionOn(await connectTenant(), ({ query }) =>
        work({
          tenantId,
          get db() {
            return kyselyOver<Tables>(async () => ({ query, release: () => undefined }));
          },
          query,
        }),
      ),
  };
}

/** Returns Kysely over part of a pool: it uses no other members of the pool and its clients unless a query has an abort signal. */
function kyselyOver<Tables>(connect: () => Promise<TenantSession>): Kysely<Tables> {
  const pool = { connect, end: async () => undefined, options: {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) });
}
