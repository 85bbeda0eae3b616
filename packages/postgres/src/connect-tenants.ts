// Opens a service's database for the requests of its tenants. Every connection acts as a role that row-level security
// restricts. The tenant is set on the connection in the same round trip as the statement, so it costs no round trip.
import type { Logger, Metrics, Tracer } from "@tradepost/runtime";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { connectPostgres } from "./connect.ts";
import { corked } from "./corked.ts";
import { startGroupCommit, type TenantStatement } from "./group-commit.ts";
import { inTransaction } from "./in-transaction.ts";
import { releaseClient } from "./release-client.ts";
import type { TenantDatabase } from "./tenant-database.ts";
import { tracedTenant } from "./traced-tenant.ts";
import { isBehindPooler, withTransactionStart } from "./transaction-settings.ts";

/** The databases of all tenants, over one pool. */
export interface TenantDatabases<Tables> {
  of(tenantId: string): TenantDatabase<Tables>;
  /** Rejects if the database does not respond, accepts no changes, or no commit reaches a standby. For `/readyz`. */
  ping(): Promise<void>;
  /** Resolves once the synchronous standbys, if there are any, have what was visible before. See `replication.ts`. */
  replicated(): Promise<void>;
  stop(): Promise<void>;
}

// The policies compare the tenant of a row with this setting. Without it they allow no row.
const SET_TENANT = "select set_config('tradepost.tenant_id', $1, false)";
// Behind a pooler the connection is another tenant's after the transaction.
const SET_TENANT_OF_TRANSACTION = "select set_config('tradepost.tenant_id', $1, true)";

/**
 * Opens the pool. There is no access to it except through `of`, which sets the tenant before each use of a connection. If that
 * fails, for example because it is cancelled, the connection may still have another tenant: the statement sent after it is
 * rejected with the same error, whatever its result.
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
  /** Where the pool's connections are counted. */
  metrics?: Metrics;
  /** Gets a span for what a request does; none by default. */
  tracer?: Tracer;
  logger: Logger;
}): TenantDatabases<Tables> {
  const { pool, ping, replicated, stop } = connectPostgres<Tables>({ ...options, pipeline: true });
  const groupCommit: GroupCommit = startGroupCommit({
    connect: () => pool.connect(),
    // A failure here aborts the group's transaction.
    setTenant: (client, tenantId) => void setTenant(client, tenantId),
    runAlone: ({ tenantId, config }) => tenantDatabase(pool, tenantId, groupCommit).query(config),
  });
  const { tracer } = options;
  return {
    of: (tenantId) => {
      const database = tenantDatabase<Tables>(pool, tenantId, groupCommit);
      return tracer?.isOn ? tracedTenant(database, tracer) : database;
    },
    ping,
    replicated,
    stop,
  };
}

/** A rejection is never unhandled: code that depends on the tenant awaits the promise. */
function setTenant(client: PoolClient, tenantId: string): Promise<unknown> {
  const text = isBehindPooler(client) ? SET_TENANT_OF_TRANSACTION : SET_TENANT;
  const tenantSet = client.query(text, [tenantId]);
  tenantSet.catch(() => undefined);
  return tenantSet;
}

/** Waits for both, then returns the result of `sent`. If the tenant could not be set, it rejects with that error instead. */
async function resultAfter<Result>(tenantSet: Promise<unknown>, sent: Promise<Result>): Promise<Result> {
  await Promise.allSettled([tenantSet, sent]);
  await tenantSet;
  return await sent;
}

/** The same connection, whose statements fail if the tenant could not be set. */
function failingUnlessSet(client: PoolClient, tenantSet: Promise<unknown>): PoolClient {
  const query = (config: QueryConfig, values?: unknown[]) =>
    resultAfter(tenantSet, client.query(config, values));
  return Object.create(client, { query: { value: query } }) as PoolClient;
}

type GroupCommit = (statement: TenantStatement) => Promise<QueryResult>;

function tenantDatabase<Tables>(
  pool: Pool,
  tenantId: string,
  groupCommit: GroupCommit,
): TenantDatabase<Tables> {
  const connect = async () => {
    const client = await pool.connect();
    return isBehindPooler(client)
      ? withTransactionStart(client, () => setTenant(client, tenantId))
      : failingUnlessSet(client, setTenant(client, tenantId));
  };
  // Made on demand, because it costs microseconds that statements written by hand do not need.
  const db = () => kyselyOver<Tables>(pool, connect);
  return {
    tenantId,
    get db() {
      return db();
    },
    query: async <Row extends QueryResultRow>(config: QueryConfig) => {
      const client = await pool.connect();
      try {
        if (isBehindPooler(client)) {
          return await withTransactionStart(client, () => setTenant(client, tenantId)).query<Row>(config);
        }
        return await corked(client, () => {
          const tenantSet = setTenant(client, tenantId);
          return resultAfter(tenantSet, client.query<Row>(config));
        });
      } finally {
        releaseClient(client);
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
    transaction: (work) =>
      inTransaction({ connect }, (client) => {
        const borrow = async () => ({ query: client.query.bind(client), release: () => undefined });
        return work({
          tenantId,
          get db() {
            return kyselyOver<Tables>(pool, borrow as typeof connect);
          },
          query: (config) => client.query(config),
        });
      }),
  };
}

function kyselyOver<Tables>({ options }: Pool, connect: () => Promise<PoolClient>): Kysely<Tables> {
  const pool = { options, connect, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
