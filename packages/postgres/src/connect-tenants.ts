// The database of a service's tenants. Every connection acts as a role that row-level security restricts. The tenant is set on the
// connection in the same round trip as the statement.
import {
  childTraceparent,
  currentTraceparent,
  type Logger,
  type Metrics,
  type Tracer,
} from "@tradepost/runtime";
import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type { QueryConfig, QueryResult, QueryResultRow } from "pg";
import { connectPostgres, type PostgresOptions } from "./connect.ts";
import { startGroupCommit, type TenantStatement } from "./group-commit.ts";
import { BY_INDEX } from "./planner-settings.ts";
import { type Session, sessionOf, type TenantSession } from "./session.ts";
import type { Tenant } from "./tenant.ts";
import { waitForMigrations } from "./wait-for-migrations.ts";
import { transactionOn } from "./with-client.ts";

export type TenantDatabases<Tables> = ReturnType<typeof connectTenants<Tables>>;

/**
 * Opens a pool that can be used only through `of`, which sets the tenant before each use of a connection. If that fails, the connection may
 * still have another tenant: the statement then rejects with the same error, whatever its own result. The policies of the tables apply to
 * `role`.
 */
export function connectTenants<Tables>(
  options: Omit<PostgresOptions, "pipeline"> & { role: string; tracer?: Tracer },
) {
  const { pool, ping, replicated, stop } = connectPostgres<Tables>({ ...options, pipeline: true });
  const connect = async () => sessionOf(await pool.connect());
  const groupCommit: GroupCommit = startGroupCommit({
    connect,
    runAlone: ({ tenantId, config }) => runAs(connect, tenantId, config),
  });
  const { tracer } = options;
  return {
    of: (tenantId: string) =>
      tenantOn<Tables>(
        connect,
        tenantId,
        groupCommit,
        tracer?.isOn ? (name, work) => traced(tracer, name, work) : untraced,
      ),
    ping,
    replicated,
    stop,
  };
}

type GroupCommit = (statement: TenantStatement) => Promise<QueryResult>;
type Trace = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

const untraced: Trace = (_name, work) => work();

async function runAs(
  connect: () => Promise<Session>,
  tenantId: string,
  config: QueryConfig,
): Promise<QueryResult> {
  const session = await connect();
  try {
    return await session.inOnePacket(() => session.forTenant(tenantId).query(config));
  } finally {
    session.releaseOrClose();
  }
}

/** With `trace`, each statement, group of statements and transaction of a request has a span. */
function tenantOn<Tables>(
  connect: () => Promise<Session>,
  tenantId: string,
  groupCommit: GroupCommit,
  trace: Trace,
): Tenant<Tables> {
  const connectTenant = async () => (await connect()).forTenant(tenantId);
  const parts: Pick<Parts<Tables>, "tenantId" | "connect" | "transaction"> = {
    tenantId,
    connect: connectTenant,
    transaction: (work) =>
      trace("transaction", async () =>
        transactionOn(await connectTenant(), ({ query }) => work(insideTransaction(tenantId, query))),
      ),
  };
  return tenantWith({
    ...parts,
    query: <Row extends QueryResultRow>(config: QueryConfig) =>
      trace("statement", () => runAs(connect, tenantId, config) as Promise<QueryResult<Row>>),
    batched: tenantWith({
      ...parts,
      query: <Row extends QueryResultRow>(config: QueryConfig) =>
        trace("statement group", () => groupCommit({ tenantId, config }) as Promise<QueryResult<Row>>),
    }),
  });
}

function insideTransaction<Tables>(tenantId: string, query: TenantSession["query"]): Tenant<Tables> {
  const tx: Tenant<Tables> = tenantWith({
    tenantId,
    connect: async () => ({ query, release: () => undefined }),
    query,
    transaction: (work) => work(tx),
  });
  return tx;
}

interface Parts<Tables> extends Pick<Tenant<Tables>, "tenantId" | "query" | "transaction"> {
  readonly connect: () => Promise<TenantSession>;
  /** The tenant itself by default. */
  readonly batched?: Tenant<Tables>;
}

function tenantWith<Tables>({ connect, batched, ...parts }: Parts<Tables>): Tenant<Tables> {
  const tenant: Tenant<Tables> = {
    ...parts,
    // Created on use: it takes microseconds, and statements written by hand do not need it.
    get db() {
      return kyselyOver<Tables>(connect);
    },
    get batched() {
      return batched ?? tenant;
    },
  };
  return tenant;
}

/** Kysely uses no other members of the pool and its clients unless a query has an abort signal. */
function kyselyOver<Tables>(connect: () => Promise<TenantSession>): Kysely<Tables> {
  const pool = { connect, end: async () => undefined, options: {} };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pool as unknown as PostgresPool }) });
}

async function traced<Result>(tracer: Tracer, name: string, work: () => Promise<Result>): Promise<Result> {
  const parent = currentTraceparent();
  if (parent === undefined) return await work();
  const startedAt = performance.now();
  let hasFailed = true;
  try {
    const result = await work();
    hasFailed = false;
    return result;
  } finally {
    tracer.record({
      name,
      kind: "client",
      traceparent: childTraceparent(parent),
      parent,
      durationMs: performance.now() - startedAt,
      attributes: { "db.system.name": "postgresql" },
      hasFailed,
    });
  }
}

type Pool = Pick<PostgresOptions, "name" | "connectionsMax"> & { readonly role: string };

/**
 * Waits for the migrations, which create both roles, then opens the pools of a service with row-level security: requests act as the
 * role of one tenant, background work as a role that finds the work of all. They connect lazily.
 */
export async function connectService<Tables>(options: {
  url: string;
  prepare: boolean;
  folder: URL;
  tenants: Pool;
  workers: Pool;
  metrics: Metrics;
  tracer: Tracer;
  logger: Logger;
}) {
  const { url, folder, prepare, metrics, tracer, logger } = options;
  const roles = [options.workers.role, options.tenants.role] as const;
  const migration = await waitForMigrations({ url, roles, folder, logger });
  const shared = { url, prepare, settings: BY_INDEX, metrics, logger };
  const tenants = connectTenants<Tables>({ ...shared, ...options.tenants, tracer });
  const workers = connectPostgres<Tables>({ ...shared, ...options.workers });
  const stop = async () => {
    await workers.stop();
    await tenants.stop();
  };
  return { migration, tenants, workers, stop };
}
