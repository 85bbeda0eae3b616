// Opens a service's database for its tenants' requests: every connection acts as a role that row-level security
// binds, and is told whose rows it may see in the same round trip as the statement that wants them.
import type { Logger } from "@tradepost/runtime";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool, PoolClient, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { connectPostgres } from "./connect.ts";
import { corked } from "./corked.ts";
import { startGroupCommit, type TenantStatement } from "./group-commit.ts";
import { inTransaction } from "./in-transaction.ts";
import type { Tenant } from "./tenant.ts";

/** Statements that see one tenant's rows only. */
export interface TenantStatements<Tables> extends Tenant<Tables> {
  /** For SQL written by hand; `db` is for Kysely. */
  query<Row extends QueryResultRow>(config: QueryConfig): Promise<QueryResult<Row>>;
}

/** The database as one tenant may see it: each statement is a transaction of its own, but for those in `transaction`. */
export interface TenantDatabase<Tables> extends TenantStatements<Tables> {
  /** Several that commit together or not at all; those sent without waiting share a round trip. */
  transaction<Result>(work: (tx: TenantStatements<Tables>) => Promise<Result>): Promise<Result>;
  /** The same tenant, whose statements may commit together with those of others: see `group-commit.ts`. */
  readonly batched: TenantStatements<Tables>;
}

export interface TenantDatabases<Tables> {
  of(tenantId: string): TenantDatabase<Tables>;
  /** Resolves where the database answers; rejects where it does not. For `/readyz`. */
  ping(): Promise<void>;
  stop(): Promise<void>;
}

// The policies compare a row's tenant with this setting; unset, they let nothing through.
const SET_TENANT = "select set_config('tradepost.tenant_id', $1, false)";

/**
 * In: a postgres:// URL, the role that the tables' policies bind, the name shown in pg_stat_activity, the pool's bound.
 * Out: the only way to that pool. `of` names the tenant on the connection ahead of each use: pipelined, so it costs no
 * round trip of its own. Where naming fails, as when it is cancelled, the connection still names another tenant: the
 * statement finds nothing, and writes nothing, so it is rejected with that error instead of a result. Carries out design,
 * "Tenancy".
 */
export function connectTenants<Tables>(options: {
  url: string;
  role: string;
  name: string;
  connectionsMax: number;
  /** 15 seconds unless given; 0 is no limit. */
  statementTimeoutMs?: number;
  logger: Logger;
}): TenantDatabases<Tables> {
  const { pool, ping, stop } = connectPostgres<Tables>({ ...options, pipeline: true });
  const groupCommit: GroupCommit = startGroupCommit({
    connect: () => pool.connect(),
    // In the group's transaction, which a failure aborts.
    nameTenant: (client, tenantId) => void nameTenant(client, tenantId),
    alone: ({ tenantId, config }) => tenantDatabase(pool, tenantId, groupCommit).query(config),
  });
  return { of: (tenantId) => tenantDatabase(pool, tenantId, groupCommit), ping, stop };
}

/** Never unhandled: rejects only for those who wait for it. */
function nameTenant(client: PoolClient, tenantId: string): Promise<unknown> {
  const named = client.query({ name: "set-tenant", text: SET_TENANT, values: [tenantId] });
  named.catch(() => undefined);
  return named;
}

/** The result of what was sent after the tenant was named, once both are over; the failure of the naming comes first. */
async function resultAfter<Result>(named: Promise<unknown>, sent: Promise<Result>): Promise<Result> {
  await Promise.allSettled([named, sent]);
  await named;
  return await sent;
}

/** The same connection, whose statements fail where the naming did. */
function withNaming(client: PoolClient, named: Promise<unknown>): PoolClient {
  const query = (config: QueryConfig, values?: unknown[]) => resultAfter(named, client.query(config, values));
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
    return withNaming(client, nameTenant(client, tenantId));
  };
  // Costs microseconds, which a statement written by hand need not pay.
  const db = () => kyselyOver<Tables>(pool, connect);
  return {
    tenantId,
    get db() {
      return db();
    },
    query: async <Row extends QueryResultRow>(config: QueryConfig) => {
      const client = await pool.connect();
      try {
        return await corked(client, () => {
          const named = nameTenant(client, tenantId);
          return resultAfter(named, client.query<Row>(config));
        });
      } finally {
        client.release();
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
